// Raw bytes on a socket, beside conformance.test.ts: heads in packets, large answers under way, and clients that leave or wait.
// long test: waits for time-outs, or starts a program for each case
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LARGE_TARGET } from '../../support/large-release.ts'
import { openFilesBelow, SHOWS_OPEN_FILES } from '../../support/open-files.ts'
import { ask, converse, dial, serving, until } from '../../support/proxy.ts'

const TARGET = '/api/public/stats'
const HOST = 'Host: a\r\n'
const get = (target = TARGET, lines = HOST) => `GET ${target} HTTP/1.1\r\n${lines}\r\n`

const served = serving({ ideas: 2500, titleChars: 3000, ageMs: 40 * 86_400_000 })

describe('heads that cannot be read', () => {
  test.each<[string, number, string]>([
    ['a long target', 414, get(`/${'x'.repeat(20_000)}`)],
    ['a long header', 431, get(TARGET, `${HOST}X: ${'x'.repeat(20_000)}\r\n`)],
  ])('%s that comes in packets of 1,400 bytes: %i', async (_, status, text) => {
    const { answers } = await converse(served().port, text.match(/[^]{1,1400}/g) ?? [])
    expect(answers).toMatchObject([{ status, whole: true }])
  })

  test.each(['/caf\xC3\xA9', `${TARGET}?x=\xE4`, `${TARGET}?x=\x7F`, '/api\0'])(
    'a target with a raw byte is told to percent-encode: %j',
    async (target) => {
      // Behind a sound request in the same packet, so that the byte is not where the packet begins.
      const { answers } = await converse(served().port, [get() + get(target)])
      const body = expect.stringContaining('must be percent-encoded, such as %C3%A9 for \xC3\xA9') as string
      expect(answers[1]).toMatchObject({ status: 400, body })
    },
  )

  test.each(['/api/public stats', 'a:80'])('what is wrong otherwise is not: %s', async (target) => {
    const { answers } = await converse(served().port, [get(target)])
    expect(answers).toMatchObject([{ status: 400, body: expect.not.stringContaining('percent') as string }])
  })

  test('HEAD gets the status without a body', async () => {
    const { answers } = await converse(served().port, [`HEAD ${TARGET} HTTP/1.1\r\n\r\n`])
    expect(answers[0]).toMatchObject({ status: 400, body: '' })
  })
})

describe('pipelining', () => {
  test('answers come in the order of requests, each whole', async () => {
    const file = '/snapshots/current/public/stats.json'
    const targets = [TARGET, LARGE_TARGET, '/api/nowhere', file, LARGE_TARGET, '/freshz', TARGET]
    const bounds = { answers: targets.length, forMs: 20_000 }
    const { answers } = await converse(served().port, [targets.map((target) => get(target)).join('')], bounds)
    const alone = await Promise.all(targets.map((target) => ask(served().port, target)))
    expect(answers.map(({ status, body, whole }) => [status, body.length, whole])).toEqual(
      alone.map(({ status, body }) => [status, body.length, true]),
    )
  })

  test.each<[string, string, number]>([
    ['rubbish', 'rubbish\r\n\r\n', 400],
    ['a method of its own', `BREW / HTTP/1.1\r\n${HOST}\r\n`, 405],
    ['a head without end', `GET /${'x'.repeat(200_000)}`, 414],
  ])('%s after sound requests does not touch their answers', async (_, text, status) => {
    const parts = [get() + get(LARGE_TARGET) + text, 'and more of it\r\n\r\n']
    const { answers, closed } = await converse(served().port, parts)
    const statuses = answers.map((answer) => (answer.whole ? answer.status : 0))
    expect([statuses, answers[2]?.headers['connection']]).toEqual([[200, 200, status], 'close'])
    expect(closed).toBe(true)
  })

  test('CONNECT in between ends the connection, and no answer to it lands in another', async () => {
    const connectAfter = (text: string) =>
      converse(served().port, [`${text}CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n${get()}`])
    expect((await connectAfter('')).answers.map(({ status }) => status)).toEqual([405])
    const { answers, closed } = await connectAfter(get() + get(LARGE_TARGET))
    expect(answers.map(({ status }) => status)).not.toContain(405)
    expect(closed).toBe(true)
  })
})

describe('clients that leave', () => {
  const openFiles = () => openFilesBelow(served().dir).length

  test.each<[string, string]>([
    ['HEAD', `HEAD ${LARGE_TARGET} HTTP/1.1\r\n${HOST}\r\n`],
    ['one answer', get(LARGE_TARGET)],
    ['pipelined answers', get(LARGE_TARGET).repeat(5)],
    ['files', get('/snapshots/current/analytics/export/ideas/all.json').repeat(2)],
  ])('in the middle of %s leave no file open', async (_, text) => {
    if (!SHOWS_OPEN_FILES) return
    for (let i = 0; i < 30; i++) {
      const { socket } = await dial(served().port)
      socket.on('error', () => undefined)
      socket.write(text)
      await sleep(i % 5)
      if (i % 2 === 0) socket.destroy()
      else socket.resetAndDestroy()
    }
    await until(() => openFiles() === 0, 2_000, 'all files are closed')
    expect((await ask(served().port, TARGET)).status).toBe(200)
  })

  test('one connection opens one file at a time, however much it asks for', async () => {
    const { socket } = await dial(served().port)
    socket.pause()
    socket.write(get('/snapshots/current/analytics/export/ideas/all.csv').repeat(30))
    await sleep(200)
    if (SHOWS_OPEN_FILES) expect(openFiles()).toBe(1)
    socket.destroy()
    if (SHOWS_OPEN_FILES) await until(() => openFiles() === 0, 2_000, 'it is closed')
  })

  test.each([TARGET, LARGE_TARGET, '/snapshots/current/analytics/export/ideas/all.json', '/healthz'])(
    'who closes only its half gets every answer that it asked for: %s',
    async (target) => {
      const { port } = served()
      const whole = await ask(port, target)
      const { socket, received } = await dial(port)
      socket.end(get(target) + get('/healthz') + get(target))
      await once(socket, 'close')
      const said = received().toString('latin1')
      const lengths = [...said.matchAll(/^Content-Length: (\d+)\r$/gm)].map(([, n]) => Number(n))
      const health = (await ask(port, '/healthz')).body.length
      expect(lengths).toEqual([whole.body.length, health, whole.body.length])
      expect(received().length).toBeGreaterThan(2 * whole.body.length + health)
    },
  )

  test('who closes its half without asking is let go', async () => {
    const { socket } = await dial(served().port)
    socket.end()
    await once(socket, 'close')
  })

  test('reset right after CONNECT or rubbish do not end the process', async () => {
    for (let i = 0; i < 100; i++) {
      const { socket } = await dial(served().port)
      socket.on('error', () => undefined)
      socket.write(i % 2 === 0 ? `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n` : 'rubbish\r\n\r\n', () =>
        socket.resetAndDestroy(),
      )
    }
    // An unhandled 'error' would have failed this run by now.
    await sleep(50)
    expect((await ask(served().port, TARGET)).status).toBe(200)
  })

  test('log nothing', () => {
    expect(served().log.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

// All wait for the same ten seconds.
describe('time-outs', () => {
  const untrusting = serving({}, { trustProxy: '192.0.2.1' })

  test.concurrent('a head that never ends: 408 after ten seconds', { timeout: 20_000 }, async () => {
    const startMs = performance.now()
    const head = `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-`
    const { answers, closed } = await converse(served().port, [head], { forMs: 15_000 })
    expect(performance.now() - startMs).toBeGreaterThan(9_000)
    expect(performance.now() - startMs).toBeLessThan(12_500)
    expect(closed).toBe(true)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      connection: 'close',
      date: expect.stringMatching(/ GMT$/) as string,
    }
    expect(answers).toMatchObject([{ status: 408, whole: true, headers }])
    expect(Object.keys(JSON.parse(answers[0]?.body ?? '') as object)).toEqual(['error', 'message'])
    expect(answers[0]?.headers).not.toHaveProperty('x-ratelimit-limit')
  })

  test.concurrent('nothing after an answer: closed after five seconds', { timeout: 20_000 }, async () => {
    const startMs = performance.now()
    const { answers, closed } = await converse(untrusting().port, [get()], { forMs: 15_000 })
    // node:http adds one.
    expect(performance.now() - startMs).toBeGreaterThan(5_000)
    expect(performance.now() - startMs).toBeLessThan(9_000)
    expect([closed, answers.length]).toEqual([true, 1])
  })

  test.concurrent(
    'a body that never comes does not disturb an answer that is still under way',
    { timeout: 30_000 },
    async () => {
      // The reader pauses for longer than a head may take, so that the time-out falls into the answer.
      const { socket, received } = await dial(served().port)
      socket.pause()
      socket.write(get('/snapshots/current/analytics/export/ideas/all.csv', `${HOST}Content-Length: 3\r\n`))
      await sleep(11_500)
      socket.resume()
      const listed = served().manifest.files.find(({ path }) => path === 'analytics/export/ideas/all.csv')
      await until(() => received().length > (listed?.bytes ?? 0), 10_000, 'the whole file')
      await sleep(100)
      socket.destroy()
      const text = received().toString('latin1')
      const head = text.indexOf('\r\n\r\n') + 4
      expect(text.slice(head, head + 9)).toBe('id,title,')
      expect(text.slice(head, head + (listed?.bytes ?? 0))).not.toContain('HTTP/1.1 408')
    },
  )
})
