// Two throw-away servers of the S3 protocol that are not ours, each with a bucket: s3rver of the npm registry, and OpenStack Swift
// with its s3api, of Debian.
// depends on: nothing else
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedHeaders } from '../../src/release/publishing/bucket.ts'
import { bucketAt } from './memory-s3.ts'
import { freePort, listens } from './ports.ts'
import { findProgram, type RealComponent } from './real-component.ts'
import { supervise, untilUp, type Supervised } from './supervised.ts'

export interface S3Server {
  readonly port: number
  /** Variables with which the programs reach it; another port is that of a proxy in front. */
  readonly env: (port?: number) => Record<string, string>
  readonly stop: () => Promise<void>
}

export const S3_BUCKET = 'statistics'

/** In one process each, as small as they can be. */
const SWIFT = ['account', 'container', 'object'] as const

export function swiftAvailable(): RealComponent {
  const packages = ['swift-proxy', ...SWIFT.map((one) => `swift-${one}`)].join(' ')
  for (const one of ['proxy', ...SWIFT]) {
    const found = findProgram(`swift-${one}-server`, packages)
    if (!found.ok) return found
  }
  return findProgram('swift-ring-builder', packages)
}

export async function startS3rver(): Promise<S3Server> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 's3rver-test-')), await freePort()]
  const main = createRequire(import.meta.url).resolve('@20minutes/s3rver')
  // Its program is not in its package.
  const program = `new (require(${JSON.stringify(main)}))({ directory: ${JSON.stringify(folder)}, port: ${port}, address: '127.0.0.1', silent: true }).run()`
  // It makes the tokens of further pages with a cipher that OpenSSL 3 has switched off.
  const node = [process.execPath, '--openssl-legacy-provider']
  const server = supervise([...node, '-e', program], { folder, signal: 'KILL' })
  await untilUp(server, `s3rver on port ${port}`, () => listens(port))
  return withBucket({ port, env: envOf(port, 'S3RVER', 'S3RVER'), stop: server.stop })
}

export async function startSwift(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'swift-test-'))
  const file = (name: string): string => join(folder, name)
  mkdirSync(file('devices/d1'), { recursive: true })
  const common = (port: number): string =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${process.getuid?.() === 0 ? 'root' : (process.env['USER'] ?? '')}\nswift_dir = ${folder}\n`
  const servers: Supervised[] = []
  const start = async (name: string, port: number, text: string): Promise<void> => {
    writeFileSync(file(`${name}.conf`), `${common(port)}${text}`)
    // Each may remove it: all end together.
    const server = supervise([`swift-${name}-server`, file(`${name}.conf`)], { folder, signal: 'KILL' })
    servers.push(server)
    await untilUp(server, `swift-${name}-server on port ${port}`, () => listens(port))
  }
  for (const name of SWIFT) {
    const [port, builder] = [await freePort(), file(`${name}.builder`)]
    const ring = (...words: string[]): Buffer =>
      execFileSync('swift-ring-builder', [builder, ...words], { stdio: 'pipe' })
    ring('create', '1', '1', '1')
    ring('add', `r1z1-127.0.0.1:${port}/d1`, '1')
    ring('rebalance')
    const text = `devices = ${folder}/devices\nmount_check = false\n[pipeline:main]\npipeline = ${name}-server\n`
    await start(name, port, `${text}[app:${name}-server]\nuse = egg:swift#${name}\n`)
  }
  const port = await freePort()
  const filters = ['catch_errors', 'listing_formats', 's3api', 'tempauth', 'copy']
  const settings: Record<string, string> = {
    s3api: 'allow_multipart_uploads = no\nlocation = us-east-1\n',
    tempauth: 'user_test_tester = testing .admin\n',
  }
  const pipeline = `[pipeline:main]\npipeline = catch_errors cache listing_formats s3api tempauth copy proxy-server\n`
  const cache = `[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1\n`
  const parts = filters.map((one) => `[filter:${one}]\nuse = egg:swift#${one}\n${settings[one] ?? ''}`)
  await start(
    'proxy',
    port,
    `${pipeline}${cache}${parts.join('')}[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n`,
  )
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop()
  }
  return withBucket({ port, env: envOf(port, 'test:tester', 'testing'), stop })
}

function envOf(own: number, id: string, secret: string): S3Server['env'] {
  return (port = own) => ({
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
  })
}

async function withBucket(server: S3Server): Promise<S3Server> {
  const bucket = bucketAt(`s3://${S3_BUCKET}`, server.env())
  const { status } = await fetch(bucket.url, { method: 'PUT', headers: await signedHeaders(bucket, 'PUT', bucket.url) })
  if (status !== 200) throw new Error(`the bucket was not made: ${status}`)
  return server
}
