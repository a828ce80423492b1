// The image: its Dockerfile's own steps, run by hand in their order on this machine (no container engine, and this machine's
// Node instead of the image's), then its programs as its user with a root that cannot be written to. What a file of it says
// without being run is checked, too. Tests Dockerfile, .dockerignore and deploy/container/.
// long test: makes the package in a root of its own; what it is made of, package.test.ts tries
// depends on: Dockerfile, .dockerignore, package.json, package-lock.json, tsconfig.json, scripts/, bin/, src/, deploy/container/
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ignoreRules, parseDockerfile, scriptOf, STAGES, valueOf, wordsOf } from '../support/dockerfile.ts'
import { COMMIT, copyOfRepository } from '../support/installed-package.ts'
import { NO_REGISTRY, npmEnvironment } from '../support/npm.ts'
import { freePort } from '../support/ports.ts'
import { programEnvironment } from '../support/proxy.ts'
import { describeWithComponent, type RealComponent } from '../support/real-component.ts'

const image = parseDockerfile(readFileSync(packagePath('Dockerfile'), 'utf8'))
const final = image.stages.at(-1) ?? { name: '', base: '', steps: [] }
const isIgnored = ignoreRules(readFileSync(packagePath('.dockerignore'), 'utf8'))
const HEALTHY = packagePath('deploy', 'container', 'healthy.js')

describe('the Dockerfile', () => {
  test('runs as a user that is not root, and starts Node itself, without a shell', () => {
    expect(valueOf(final, 'USER')).toBe('10001:10001')
    expect(wordsOf(valueOf(final, 'ENTRYPOINT'))).toEqual(['/usr/local/bin/node', 'bin/public-analytics.js'])
    expect(wordsOf(valueOf(final, 'CMD'))).toEqual(['proxy'])
    expect(final.steps.filter(({ name }) => name === 'RUN' || name === 'ADD')).toEqual([])
  })

  test('names only bases that can be pinned, of one Debian, and no digest that nobody has seen', () => {
    expect(image.stages.map(({ base }) => base)).toEqual([`\${NODE_IMAGE}`, `\${NODE_IMAGE}`, `\${BASE_IMAGE}`])
    expect(Object.keys(image.args)).toEqual(['NODE_IMAGE', 'BASE_IMAGE'])
    expect(image.args['NODE_IMAGE']).toMatch(/:\d+-trixie(?:@sha256:[0-9a-f]{64})?$/)
    expect(image.args['BASE_IMAGE']).toMatch(/-debian13(?:@sha256:[0-9a-f]{64})?$/)
  })

  test('has the labels that registries show', () => {
    const labels = final.steps.find(({ name }) => name === 'LABEL')?.rest ?? ''
    expect([...labels.matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(([, name]) => name)).toEqual(
      'title description licenses version revision'.split(' '),
    )
  })

  test('sets variables that the programs have, and listens where it says', () => {
    const set = valueOf(final, 'ENV')
      .split(' ')
      .map((one) => one.split('='))
    const known = Object.values(PROXY_OPTIONS).map(({ envVar }) => envVar)
    for (const [name] of set) expect(known).toContain(name)
    expect(valueOf(final, 'EXPOSE')).toBe(String(PROXY_OPTIONS.port.defaultValue))
  })
})

test('the context of a build is what git knows and npm run package needs', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: packagePath(), encoding: 'utf8' }).split('\0')
  const { files } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { files: string[] }
  const folders = files.filter((one) => !one.startsWith('!')).map((one) => one.replace(/\/\*.*/, ''))
  const needed = ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/pack.js', ...folders]
  const made = ['dist', 'dist/commit', 'dist/contract', 'npm-shrinkwrap.json']
  for (const path of needed.filter((one) => !made.includes(one))) expect([path, isIgnored(path)]).toEqual([path, false])
  for (const path of tracked.filter((one) => /^(?:src|bin|scripts)\//.test(one)))
    expect([path, isIgnored(path)]).toEqual([path, false])
  const secret = [
    'analytics.env',
    'deploy/compose/analytics.env',
    'deploy/compose/secrets/database-url',
    '.git/config',
    'deploy/.env.local',
    'docs/secrets/password',
  ]
  for (const path of [...secret, '.npmrc', 'node_modules/pg', 'dist', 'snapshots/releases', 'test/deploy'])
    expect([path, isIgnored(path)]).toEqual([path, true])
})

/** How it ends, and what it says. */
async function healthOf(url: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [HEALTHY, url], {
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said: await said }
}

const nobody = `http://127.0.0.1:${await freePort()}/healthz`
const silent = createServer().listen(0, '127.0.0.1')
afterAll(() => void silent.close())
await once(silent, 'listening')
/** Begun here: it waits while the steps below are run. */
const unanswered = healthOf(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/healthz`)

test('the health check fails with the reason where nobody listens, and where nobody answers', async () => {
  expect(await healthOf(nobody)).toEqual({ code: 1, said: expect.stringContaining('ECONNREFUSED') as string })
  expect(await unanswered).toEqual({ code: 1, said: expect.stringContaining('timeout') as string })
})

const folder = temporaryFolder(afterAll)

/** In the last stage: inside runs a command as a container would, the image's files cannot be written to, /data can. */
const PROGRAMS = `
mount -t tmpfs -o mode=0755,uid=10001,gid=10001 tmpfs "$ROOT/data"
mount -o remount,ro "$ROOT/tmp"
mount -o remount,ro,bind "$ROOT"
become() { exec chroot --userspec=\${AS:-10001:10001} "$ROOT" sh -c 'cd "$1" && shift && exec setpriv --no-new-privs --bounding-set=-all env -i PATH=/usr/bin:/bin PORT=$PORT "$@"' sh $FOLDER $VARIABLES "$@"; }
inside() { (become "$@"); }
say() { printf '%s: %s\\n' "$1" "$2"; }
say uid "$(inside /usr/bin/id -u)"
say write "$(inside /usr/bin/touch /opt/analytics/x 2>&1 | tail -c 22)"
say version "$(inside $ENTRYPOINT build --version)"
say configured "$(inside DATABASE_URL=postgresql://db.example.org/town $ENTRYPOINT demo 2>&1)"
say unwritable "$(inside $ENTRYPOINT demo 2>&1)"
inside $ENTRYPOINT build demo --quiet
say filled "$(inside $ENTRYPOINT demo 2>&1)"
say owner "$(stat -c %u "$ROOT/data/releases")"
become $ENTRYPOINT $CMD >"$WORK/proxy.log" 2>&1 & proxy=$!
tries=0; until inside $HEALTH 2>"$WORK/health.log"; do tries=$((tries+1)); [ $tries -lt 100 ] || { cat "$WORK/health.log" "$WORK/proxy.log"; exit 1; }; sleep 0.1; done
say healthy yes
say ideas "$(curl -fsS http://127.0.0.1:$PORT/api/public/stats | grep -o '"totalIdeas":[0-9]*')"
say fresh "$(inside /usr/local/bin/node deploy/container/healthy.js http://127.0.0.1:$PORT/freshz && echo yes)"
kill -TERM $proxy; wait $proxy && code=0 || code=$?
say stopped $code
inside $HEALTH 2>/dev/null && code=0 || code=$?
say after $code
umount "$ROOT/data"
mount -t tmpfs -o mode=0775,uid=10001,gid=0 tmpfs "$ROOT/data"
AS=54321:0
inside $ENTRYPOINT build demo --quiet
become $ENTRYPOINT $CMD >"$WORK/proxy.log" 2>&1 & proxy=$!
tries=0; until inside $HEALTH 2>"$WORK/health.log"; do tries=$((tries+1)); [ $tries -lt 100 ] || { cat "$WORK/health.log" "$WORK/proxy.log"; exit 1; }; sleep 0.1; done
say unknown "$(stat -c %u:%g "$ROOT/data/releases") $(curl -fsS http://127.0.0.1:$PORT/api/public/stats | grep -o '"totalIdeas":[0-9]*')"
kill -TERM $proxy; wait $proxy || true
mount -o remount,rw "$ROOT/tmp"
chmod 1777 "$ROOT/tmp"
umount "$ROOT/data"
become $ENTRYPOINT demo >"$WORK/demo.log" 2>&1 & demo=$!
tries=0; until inside $HEALTH 2>"$WORK/health.log"; do tries=$((tries+1)); [ $tries -lt 600 ] || { cat "$WORK/health.log" "$WORK/demo.log"; exit 1; }; sleep 0.1; done
say demo "$(curl -fsS http://127.0.0.1:$PORT/api/public/stats | grep -o '"totalIdeas":[0-9]*')"
kill -TERM $demo; wait $demo && code=0 || code=$?
say left "$code $(ls "$ROOT/tmp" "$ROOT/data" | grep -c demo)"
say megabytes "$(du -sm "$ROOT/opt/analytics" | cut -f1)"
say native "$(find "$ROOT/opt/analytics" -name '*.node' -o -name '*.so' | wc -l)"
`

/** What is mounted and what runs ends with the script. */
const OWN_SPACES = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']

async function runByHand(): Promise<RealComponent> {
  if (process.getuid?.() !== 0) return { ok: false, how: 'only root may mount: run the tests as root' }
  const [work, context] = [join(folder, 'work'), join(folder, 'context')]
  mkdirSync(work)
  const variables = {
    WORK: work,
    CONTEXT: copyOfRepository(context, (path) => !isIgnored(path)),
    PORT: String(await freePort()),
    FOLDER: valueOf(final, 'WORKDIR'),
    VARIABLES: valueOf(final, 'ENV').replace('0.0.0.0', '127.0.0.1'),
    ENTRYPOINT: wordsOf(valueOf(final, 'ENTRYPOINT')).join(' '),
    CMD: wordsOf(valueOf(final, 'CMD')).join(' '),
    REVISION: COMMIT,
    HEALTH: wordsOf(valueOf(final, 'HEALTHCHECK')).join(' '),
  }
  const script = join(folder, 'steps.sh')
  writeFileSync(script, `${STAGES}\n${scriptOf(image)}\n${PROGRAMS}`)
  const env = { ...npmEnvironment(), npm_config_prefer_offline: 'true', ...variables }
  const { status, stdout, stderr } = spawnSync('unshare', [...OWN_SPACES, 'sh', script], {
    encoding: 'utf8',
    env,
    timeout: 300_000,
  })
  if (status === 0) return { ok: true, bin: stdout }
  if (NO_REGISTRY.test(stderr)) return { ok: false, how: 'npm reaches no registry: npm ping' }
  throw new Error(`the steps of the Dockerfile end with ${status}: ${stdout}${stderr}`)
}

describeWithComponent('its steps, run by hand', await runByHand(), (printed) => {
  const said = (what: string): string | undefined => new RegExp(`^${what}: (.*)$`, 'm').exec(printed)?.[1]

  test('give both programs, which run as its user and write to /data only', () => {
    expect(said('uid')).toBe('10001')
    expect(said('write')).toBe('Read-only file system')
    const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }
    expect(said('version')).toBe(`${version} (commit ${COMMIT.slice(0, 12)})`)
    expect(said('owner')).toBe('10001')
    expect(said('ideas')).toMatch(/^"totalIdeas":\d{4}/)
  })

  test('build and serve as any user in group 0, with a /data as the image has it', () => {
    expect(said('unknown')).toMatch(/^54321:0 "totalIdeas":\d{4}/)
  })

  test('are a demo in a folder that goes with it, unless real numbers are built or served there', () => {
    expect(said('demo')).toMatch(/^"totalIdeas":\d{4}/)
    expect(said('left')).toBe('0 0')
    const invented = 'and the numbers of the demo are invented. Give build or proxy, or unset it for the demo'
    expect(said('configured')).toBe(`public-analytics: demo: DATABASE_URL is set, ${invented}`)
    expect(said('filled')).toBe(
      `public-analytics: demo: /data, which ANALYTICS_SNAPSHOTS names, has current, ${invented}`,
    )
    expect(said('unwritable')).toMatch(
      /^public-analytics: demo: EROFS: .*\. Give --snapshots FOLDER, or TMPDIR, a folder/,
    )
  })

  test('are healthy while the proxy runs, fresh while its release is, and end with it', () => {
    expect([said('healthy'), said('fresh'), said('stopped'), said('after')]).toEqual(['yes', 'yes', '0', '1'])
  })

  test('have no native code, and leave room for Node and the base below 200 MB', () => {
    expect(said('native')).toBe('0')
    // Node 26 without symbols is 116 MB, distroless/cc 25.
    expect(Number(said('megabytes'))).toBeLessThan(200 - 116 - 25)
  })
})
