// Owns the options of analytics-proxy: flags, variables, defaults, what is allowed. Runs nothing.
import { isIP } from 'node:net'
import { group, option, optionalOption, secret, switchOnce, type ValuesOf } from '../process/option.ts'
import { duration, httpUrl, integer, size, anyText, type Parse } from '../process/value-syntax.ts'
import { MAX_RATE_CLIENTS, MAX_RATE_LIMIT, MAX_RATE_WINDOW_MS } from './limit/rate-limit.ts'
import { parseRedisAddress, REDIS_ADDRESS, type RedisAddress } from './limit/redis-address.ts'
import { parseTrustedProxies } from './limit/trusted-proxies.ts'

const rateStore: Parse<'memory' | RedisAddress> = (given) => {
  const value = given === 'memory' ? given : parseRedisAddress(given)
  return value === null ? { allowed: `memory, or ${REDIS_ADDRESS}` } : { value }
}

const DEFAULT_ADMIN_HOST = '127.0.0.1'

const hostName: Parse<string> = (given) =>
  isIP(given) > 0 || /^[\w.-]+$/.test(given)
    ? { value: given }
    : { allowed: 'an address or a name of this machine, such as 0.0.0.0 or ::1, without scheme, port and brackets' }

/** `9464`, `0.0.0.0:9464`, `[::1]:9464`. */
const adminAddress: Parse<{ readonly host: string; readonly port: number }> = (given) => {
  const found = /^(?:(?:\[([\da-f:.]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/i.exec(given)
  const [host, port] = [found?.[1] ?? found?.[2] ?? DEFAULT_ADMIN_HOST, Number(found?.[3])]
  return port <= 65_535
    ? { value: { host, port } }
    : { allowed: `a port from 0 to 65535, after an address if that is not ${DEFAULT_ADMIN_HOST}: 0.0.0.0:9464` }
}

/** How long answers under way may take to finish after SIGTERM: what starts the program waits longer. */
export const DRAIN_MS = 10_000

export const PROXY_OPTIONS = {
  ...group('Source', {
    snapshots: option('--snapshots <DIR>', './snapshots', 'folder of the releases', anyText('a folder')),
    origin: optionalOption('--origin <URL>', 'read the releases from this address instead', httpUrl()).conflicts(
      'snapshots',
    ),
  }),
  ...group('Server', {
    host: option('--host <HOST>', '127.0.0.1', 'address to listen on', hostName),
    port: option('--port <N>', '8080', 'port to listen on; 0: any free one', integer(0, 65_535)).env('PORT'),
    adminPort: optionalOption(
      '--admin-port <PORT>',
      'port of /metrics, for Prometheus; HOST:PORT for another address than 127.0.0.1',
      adminAddress,
    ).default(null, 'off'),
    test: switchOnce('--test', 'end once the options are read and the ports found free'),
  }),
  ...group('Clients', {
    trustProxy: option(
      '--trust-proxy <CIDR,…>',
      'loopback',
      'addresses whose X-Forwarded-For is believed',
      parseTrustedProxies,
    ),
  }),
  ...group('Rate limit', {
    rateLimit: option('--rate-limit <N>', '100', 'requests per window and client', integer(1, MAX_RATE_LIMIT)),
    rateWindow: option('--rate-window <DURATION>', '1h', 'length of a window', duration(1000, MAX_RATE_WINDOW_MS)),
    rateStore: secret(
      option('--rate-store <STORE>', 'memory', 'memory, or redis://… shared by several proxies', rateStore),
      'ANALYTICS_RATE_STORE',
    ),
    rateClients: option('--rate-clients <N>', '1000000', 'clients remembered at most', integer(1000, MAX_RATE_CLIENTS)),
  }),
  ...group('Memory', {
    cache: option('--cache <SIZE>', '64MiB', 'memory for prepared answers', size(1 << 20, 64 * 2 ** 30)),
  }),
}

export type ProxyValues = ValuesOf<typeof PROXY_OPTIONS>
