// analytics-proxy as it is shipped (dist/, made by `npx tsc`): command line, exit codes, signals, what it loads.
// long test: waits for time-outs, or starts a program for each case
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LARGE_RELEASE, LARGE_TARGET, stalledReader } from '../support/large-release.ts'
import { ask, dial, runProgram, startProgram, until, type ProxyProgram } from '../support/proxy.ts'
import { publishRelease } from '../support/release.ts'

const STATS = '/api/public/stats'

const folder = temporaryFolder(afterAll)
let largeBytes = 0
beforeAll(async () => {
  const manifest = await publishRelease(folder, LARGE_RELEASE)
  largeBytes = manifest.files.find(({ path }) => path === 'analytics/export/ideas/all.csv')?.bytes ?? 0
})

const started: ProxyProgram[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((program) => program.kill()))
})
const start = async (args: readonly string[] = ['--snapshots', folder], env: Record<string, string> = {}) => {
  const program = await startProgram(args, env)
  started.push(program)
  return program
}

describe('starting', () => {
  test('the first line is the URL it serves on, and nothing else is on stdout; the log is JSON on stderr', async () => {
    const program = await start()
    expect(program.stdout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/)
    expect((await fetch(`${program.base}${STATS}`)).status).toBe(200)
    program.child.kill('SIGTERM')
    await program.ended()
    expect(program.stdout()).toBe(`${program.base}\n`)
    const lines = program.stderr().trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { message: string }).message)
    expect(messages).toEqual(['starting', 'serving release', 'stopping'])
  })

  test('an IPv6 address is in brackets', async () => {
    const program = await start(['--snapshots', folder, '--host', '::1'])
    expect(program.base).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await fetch(`${program.base}/healthz`)).status).toBe(200)
  })

  test('variables stand in for flags, and flags win', async () => {
    // startProgram gives --port 0; nobody may listen on port 1.
    const env = { ANALYTICS_SNAPSHOTS: folder, ANALYTICS_RATE_LIMIT: '7', PORT: '1' }
    const byVariable = await start([], env)
    expect((await ask(byVariable.port, STATS)).headers['x-ratelimit-limit']).toBe('7')
    const byFlag = await start(['--rate-limit', '8'], env)
    const { headers } = await ask(byFlag.port, STATS)
    expect([headers['x-ratelimit-limit'], headers['ratelimit-policy']]).toEqual(['8', '"default";q=8;w=3600'])
  })

  test('without a release it starts, and warns in the log', async () => {
    const program = await start(['--snapshots', join(folder, 'nowhere')])
    expect((await ask(program.port, STATS)).status).toBe(500)
    expect((await ask(program.port, '/readyz')).status).toBe(503)
    const said = [
      `no release in ${join(folder, 'nowhere')} yet`,
      `until the first one is published; no such folder; did you mean --snapshots ${folder}?`,
    ]
    await until(() => said.every((one) => program.stderr().includes(one)), 5_000, 'it is said')
  })

  test('an origin without one is named with the address that is asked', async () => {
    const origin = await start()
    const program = await start(['--origin', `${origin.base}/nowhere`])
    const asked = `${origin.base}/nowhere/current/manifest.json`
    const said = `it asks for ${asked}: give --origin the address below which current/ and releases/ are`
    await until(() => program.stderr().includes(said), 5_000, 'it is said')
  })

  test('a file for the folder, and an address with a port for the host, are errors: exit 2', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const [args, message] of [
      [['--snapshots', file], `--snapshots: "${file}" is a file; allowed: the folder that analytics-build writes to`],
      [['--host', '127.0.0.1:80'], "'--host <HOST>' argument '127.0.0.1:80' is invalid. Allowed: an address or a name"],
      [['--host', 'http://127.0.0.1'], 'without scheme, port and brackets'],
      [['--host', '[::1]'], 'without scheme, port and brackets'],
    ] as const) {
      const { code, stderr } = await runProgram(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })

  test('options reach the limiter: limit, window, whom to trust', async () => {
    const limits = ['--rate-limit', '2', '--rate-window', '1m', '--trust-proxy', '10.0.0.0/8']
    const { port } = await start(['--snapshots', folder, ...limits])
    // The socket is not in 10.0.0.0/8: whatever it says, it is one client.
    const answers = []
    for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) answers.push(await ask(port, STATS, { client }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.json()['message']).toMatch(
      /^Rate limit of 2 requests per minute exceeded\. Try again in (60|59) seconds\.$/,
    )
  })

  test('an origin that hangs does not keep it from being up', async () => {
    const hanging = createHttpServer(() => undefined).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    try {
      const startMs = performance.now()
      const program = await start(['--origin', `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`])
      expect(performance.now() - startMs).toBeLessThan(5000)
      expect((await ask(program.port, '/healthz')).status).toBe(200)
      expect((await ask(program.port, '/readyz')).status).toBe(503)
      program.child.kill('SIGTERM')
      const { code, ms } = await program.ended()
      expect(code).toBe(0)
      expect(ms).toBeLessThan(2000)
    } finally {
      hanging.closeAllConnections()
      hanging.close()
    }
  })
})

describe('bad usage: exit 2, and one line that names option, value, what is allowed', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [[], { PORT: 'http' }, /--port <N>' value 'http' from env 'PORT' is invalid. Allowed: .*0 to 65535/],
    [['--rate-store', 'redis://:secret%zz@h'], {}, /'redis:\/\/\*\*\*@h' .*memory, or/],
    [['--trust-proxy', 'loopback,10.0.0.0/33'], {}, /--trust-proxy <.*>' argument .*"10\.0\.0\.0\/33"/],
    [['--port', '81', '--admin-port', '81'], {}, /--admin-port: "81" is that of --port; allowed: an/],
    [['--origin', 'http://me:secret@a'], {}, /--origin <URL>' argument 'http:\/\/\*\*\*@a'/],
    [
      ['--origin', 'http://a', '--snapshots', 'b'],
      {},
      /'--origin <URL>' cannot be used with option '--snapshots <DIR>'/,
    ],
    [['--prot', '80'], {}, /--prot' \(Did you mean --port\?\); see analytics-proxy --help/],
    [['serve'], {}, /argument/],
  ])('%j with %j', async (args, env, line) => {
    const { code, stdout, stderr } = await runProgram(args, env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(line)])
    expect(stderr).not.toContain('secret')
  })
})

describe('it cannot listen: exit 3', () => {
  test('the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    try {
      const { code, stdout, stderr } = await runProgram(['--snapshots', folder, '--port', String(port)])
      expect([code, stdout]).toEqual([3, ''])
      const failures = stderr.split('\n').filter((line) => line.includes('"error"'))
      expect(failures).toEqual([expect.stringContaining(`cannot listen on 127.0.0.1 port ${port}: another program`)])
      expect(stderr).not.toMatch(/\bat .*:\d+:\d+/)
      for (const flag of ['--port', '--admin-port']) {
        const other = flag === '--port' ? [] : ['--port', '0']
        const tried = await runProgram(['--snapshots', folder, ...other, flag, String(port), '--test'])
        expect([tried.code, tried.stdout]).toEqual([3, ''])
        expect(tried.stderr).toContain(`cannot listen on 127.0.0.1 port ${port}: another program`)
      }
    } finally {
      taken.close()
    }
  })

  test('--test ends once the ports are free, and serves nothing', async () => {
    const { code, stdout, stderr } = await runProgram([
      '--snapshots',
      folder,
      '--port',
      '0',
      '--admin-port',
      '0',
      '--test',
    ])
    expect([code, stdout, stderr]).toEqual([0, '', ''])
  })

  test('the address is not of this machine', async () => {
    const { code, stderr } = await runProgram(['--snapshots', folder, '--host', '192.0.2.1', '--port', '0'])
    expect(code).toBe(3)
    expect(stderr).toContain('cannot listen on 192.0.2.1 port 0: this machine has no address 192.0.2.1; give --host')
    const named = await runProgram(['--snapshots', folder, '--host', 'nowhere.invalid'])
    expect([named.code, named.stderr]).toEqual([
      3,
      expect.stringContaining('there is no name nowhere.invalid; give --host one of this machine'),
    ])
  })
})

describe('SIGTERM', () => {
  test('closes what is idle, or has never spoken, at once', async () => {
    const program = await start()
    const fresh = await dial(program.port)
    const idle = await dial(program.port)
    idle.socket.write(`GET ${STATS} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await until(() => idle.received().length > 0, 1000, 'an answer')
    await sleep(50)
    const closed = Promise.all([fresh, idle].map(({ socket }) => once(socket, 'close')))
    program.child.kill('SIGTERM')
    const { code, ms } = await program.ended()
    await closed
    expect(code).toBe(0)
    expect(ms).toBeLessThan(1000)
  })

  test('answers what had arrived before it, on new connections and old ones, also when it was too busy to look', async () => {
    const program = await start()
    const request = `GET ${STATS} HTTP/1.1\r\nHost: a\r\n\r\n`
    const answersOn = ({ received }: { received: () => Buffer }) =>
      [
        ...received()
          .toString('latin1')
          .matchAll(/HTTP\/1\.1 (\d+) /g),
      ].map(([, status]) => status)
    const kept = await Promise.all(Array.from({ length: 20 }, () => dial(program.port)))
    for (const { socket } of kept) socket.write(request)
    await until(() => kept.every((each) => answersOn(each).length === 1), 5000, 'an answer on each')
    // The kernel takes connections and requests for a process that does not run.
    program.child.kill('SIGSTOP')
    for (const { socket } of kept) socket.write(request)
    const fresh = await Promise.all(Array.from({ length: 20 }, () => dial(program.port)))
    for (const { socket } of [...kept, ...fresh]) socket.on('error', () => undefined)
    for (const { socket } of fresh) socket.write(request)
    await sleep(50)
    program.child.kill('SIGTERM')
    program.child.kill('SIGCONT')
    const { code } = await program.ended()
    expect(code).toBe(0)
    await until(() => [...kept, ...fresh].every(({ socket }) => socket.closed), 1000, 'all connections are closed')
    expect(kept.map(answersOn)).toEqual(kept.map(() => ['200', '200']))
    expect(fresh.map(answersOn)).toEqual(fresh.map(() => ['200']))
  })

  test('lets an answer under way finish, takes no new connection, then ends at once', async () => {
    const program = await start()
    const { socket, received } = await stalledReader(program.port)
    program.child.kill('SIGTERM')
    await sleep(300)
    expect(program.child.exitCode).toBeNull()
    await expect(once(connect(program.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
    socket.resume()
    const { code, ms } = await program.ended()
    expect(code).toBe(0)
    expect(ms).toBeLessThan(5000)
    await until(() => socket.closed, 1000, 'the connection is closed')
    const text = received()
    expect(text.length - text.indexOf('\r\n\r\n') - 4).toBe(largeBytes)
  })
})

describe('Ctrl-C', () => {
  test('stops as cleanly, and exits 130', async () => {
    const program = await start()
    program.child.kill('SIGINT')
    expect((await program.ended()).code).toBe(130)
  })

  test('twice does not wait', async () => {
    const program = await start()
    const { socket } = await stalledReader(program.port)
    socket.on('error', () => undefined)
    program.child.kill('SIGINT')
    await sleep(100)
    program.child.kill('SIGINT')
    const { code, ms } = await program.ended()
    socket.destroy()
    expect([code, ms < 1000]).toEqual(['SIGINT', true])
  })
})

describe('a running proxy has not loaded', () => {
  /** Every script that a process ran, by V8's own account, written when it ends. */
  async function scriptsOf(run: (env: Record<string, string>) => Promise<unknown>): Promise<string[]> {
    const dir = temporaryFolder()
    await run({ NODE_V8_COVERAGE: dir })
    return readdirSync(dir).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(dir, name), 'utf8')) as { result: { url: string }[] }
      return result.map(({ url }) => url)
    })
  }
  const OF_THE_BUILD =
    /node_modules\/(prom-client|@opentelemetry|pg|pg-[a-z-]+|@electric-sql|node-cron)\/|dist\/(source|analytics|builder|start)\//

  test('pg, nor anything else of the build', async () => {
    const scripts = await scriptsOf(async (env) => {
      const direct = await start(['--snapshots', folder], env)
      const through = await start(['--origin', `${direct.base}/snapshots`], env)
      for (const { port } of [direct, through])
        for (const target of [STATS, LARGE_TARGET, '/public/stats.json', '/snapshots/current/manifest.json'])
          expect((await ask(port, target)).status).toBe(200)
      for (const program of [through, direct]) {
        program.child.kill('SIGTERM')
        expect((await program.ended()).code).toBe(0)
      }
    })
    for (const room of ['dist/proxy/server.js', 'dist/release/reading/folder-reader.js', 'http-proxy/'])
      expect([room, scripts.some((url) => url.includes(room))]).toEqual([room, true])
    expect(scripts.filter((url) => OF_THE_BUILD.test(url))).toEqual([])
  })
})
