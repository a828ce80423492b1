// Whether an address answers 200, as an exit code: for health checks in an image that has no curl. Without an argument it
// asks the proxy of its own container.
const [, , url = `http://127.0.0.1:${process.env.PORT || 8080}/healthz`] = process.argv
const answer = await fetch(url, { signal: AbortSignal.timeout(4000) }).catch((error) => error)
if (answer.ok !== true) process.stderr.write(`${url}: ${answer.status ?? answer.cause?.message ?? answer.message}\n`)
process.exit(answer.ok === true ? 0 : 1)
