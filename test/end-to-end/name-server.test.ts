// What a build makes of a name server that denies, fails, or never answers: in separate network and mount namespaces,
// with a resolv.conf that names a small name server of ours. The release that was current is not touched: there is none.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { begin, failureOf, logOf, type Ran } from '../builder/build-program.ts'
import { describeWithComponent, findProgram, type RealComponent } from '../support/real-component.ts'

// With --kill-child nothing of the namespaces outlives its test, however that ends.
const ALONE = ['--net', '--mount', '--pid', '--fork', '--kill-child', ...(process.getuid?.() === 0 ? [] : ['-r'])]

/** Answers each question as its argument says: an address, a code of RFC 1035 section 4.1.1, or nothing. */
const NAME_SERVER = `
import { createSocket } from 'node:dgram'
const behaviour = process.argv[2]
const server = createSocket('udp4')
server.on('message', (question, from) => {
  const end = question.indexOf(0, 12) + 5
  const isA = question.readUInt16BE(end - 4) === 1
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (/^\\d$/.test(behaviour) ? Number(behaviour) : 0), 2)
  const answers = behaviour === 'address' && isA ? 1 : 0
  head.writeUInt16BE(answers, 6)
  head.writeUInt32BE(0, 8)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  if (behaviour !== 'silence')
    server.send(Buffer.concat([head, question.subarray(12, end), ...(answers === 1 ? [record] : [])]), from.port, from.address)
})
server.bind(53, '127.0.0.1', () => console.log('ready'))
`

/** What waits between two tries, a hundred times as fast. */
const IMPATIENT = `--import=data:text/javascript,${encodeURIComponent(`
  import timers from 'node:timers/promises'; import { syncBuiltinESMExports } from 'node:module'
  const { setTimeout } = timers; timers.setTimeout = (ms, ...more) => setTimeout(ms / 100, ...more); syncBuiltinESMExports()
`)}`

const SCRIPT = `
ip link set lo up && mount --bind "$DNS_HOME/resolv.conf" /etc/resolv.conf || exit 99
ready="$DNS_HOME/$DNS_BEHAVIOUR.ready"
mkfifo "$ready"
"$DNS_NODE" "$DNS_HOME/server.mjs" "$DNS_BEHAVIOUR" >"$ready" 2>/dev/null & server=$!
read line <"$ready"
"$@"; code=$?
kill $server
exit $code
`

function namespacesAvailable(): RealComponent {
  const unshare = findProgram('unshare', 'util-linux')
  if (!unshare.ok) return unshare
  try {
    execFileSync(unshare.bin, [...ALONE, 'sh', '-c', 'ip link set lo up'], { stdio: 'pipe' })
    return unshare
  } catch (error) {
    return { ok: false, how: `namespaces (unshare, ip) cannot be made here: ${(error as Error).message.trim()}` }
  }
}

describeWithComponent('a build whose name server', namespacesAvailable(), (unshare) => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'name-server-'))
    writeFileSync(join(home, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:25 attempts:2\n')
    writeFileSync(join(home, 'server.mjs'), NAME_SERVER)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  function build(
    behaviour: string,
    more: readonly string[],
    start: Readonly<Record<string, string>> = {},
  ): Promise<Ran> {
    return begin(
      ['--snapshots', join(home, behaviour), ...more],
      {
        ...start,
        DATABASE_URL: 'postgresql://analyst:S3CRET@db.example.org/ideas',
        DNS_HOME: home,
        DNS_BEHAVIOUR: behaviour,
        DNS_NODE: process.execPath,
      },
      {},
      [unshare, ...ALONE, 'sh', '-c', SCRIPT, 'sh'],
    ).done
  }

  const NXDOMAIN = '3'
  const SERVFAIL = '2'
  const CASES: readonly [what: string, behaviour: string, tries: number, message: RegExp][] = [
    ['knows no such name', NXDOMAIN, 1, /getaddrinfo ENOTFOUND db\.example\.org; no such host; check the host/],
    ['fails', SERVFAIL, 4, /getaddrinfo EAI_AGAIN db\.example\.org; the name server did not answer/],
    ['gives an address', 'address', 4, /connect ECONNREFUSED 127\.0\.0\.1:5432; nothing listens there/],
  ]
  it.concurrent.each(CASES)('%s', async (_, behaviour, tries, message) => {
    const ran = await build(behaviour, [], { NODE_OPTIONS: IMPATIENT })
    expect(ran.code, ran.stderr).toBe(3)
    expect(failureOf(ran)).toMatch(message)
    expect(failureOf(ran)).toMatch(/^cannot connect to analyst@db\.example\.org:5432\/ideas: /)
    expect(logOf(ran)).toHaveLength(tries)
    expect(ran.stderr).not.toContain('S3CRET')
  })

  // The resolver of the system waits 50 seconds here, and cannot be stopped. A machine with a load of 28 needed 7 to start and end.
  it.concurrent('never answers: the deadline is kept, and the process is gone', async () => {
    const ran = await build('silence', ['--deadline', '2s'])
    expect(ran.code, ran.stderr).toBe(3)
    expect(failureOf(ran)).toMatch(/^the build took longer than --deadline 2s/)
    expect(ran.ms).toBeLessThan(20_000)
    expect(ran.stderr).not.toContain('S3CRET')
  })
})
