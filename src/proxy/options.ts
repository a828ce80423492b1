// Owns the options of analytics-proxy: flags, variables, defaults, what is allowed. Runs nothing.
import { logLevelOption, type LogLevel } from '../process/log-level.ts'
import { option, type OptionTable } from '../process/option.ts'
import { duration, httpUrl, integer, size, text, type Parse } from '../process/value-syntax.ts'
import { MAX_RATE_CLIENTS, MAX_RATE_LIMIT, MAX_RATE_WINDOW_MS } from './limit/rate-limit.ts'
import { parseRedisAddress, REDIS_ADDRESS } from './limit/redis-address.ts'
import { DEFAULT_STREAMS } from './answer/streams.ts'
import { parseTrustedProxies, type Block } from './limit/trusted-proxies.ts'

export interface ProxyValues {
  readonly snapshots: string
  readonly origin: string | null
  readonly host: string
  readonly port: number
  readonly drain: number
  readonly adminPort: number | null
  readonly adminHost: string
  readonly trustProxy: readonly Block[]
  readonly rateLimit: number
  readonly rateWindow: number
  readonly rateStore: string
  readonly ratePrefix: string
  readonly rateClients: number
  readonly ipv6Prefix: number
  readonly cache: number
  readonly streams: number
  readonly logLevel: LogLevel
}

const rateStore: Parse<string> = (given) =>
  given === 'memory' || parseRedisAddress(given) !== null
    ? { value: given }
    : { allowed: `memory, or ${REDIS_ADDRESS}` }

const ratePrefix: Parse<string> = (given) =>
  /^[!-~]{1,64}$/.test(given) ? { value: given } : { allowed: '1 to 64 visible characters of ASCII' }

export const PROXY_OPTIONS: OptionTable<ProxyValues> = {
  snapshots: option('--snapshots <DIR>', './snapshots', 'Source', 'folder of the releases', text('a folder')),
  origin: option(
    '--origin <URL>',
    null,
    'Source',
    'instead: where the releases are served over HTTP',
    httpUrl(),
  ).conflicts('snapshots'),
  host: option('--host <HOST>', '127.0.0.1', 'Server', 'address to listen on', text('an address or a name')),
  port: option('--port <N>', '8080', 'Server', 'port to listen on; 0: any free one', integer(0, 65_535)).env('PORT'),
  drain: option('--drain <DURATION>', '10s', 'Server', 'for answers under way on SIGTERM', duration(0, 600_000)),
  adminPort: option('--admin-port <N>', null, 'Server', 'port of /metrics, for Prometheus', integer(0, 65_535)).default(
    null,
    'default off',
  ),
  adminHost: option('--admin-host <HOST>', '127.0.0.1', 'Server', 'its address', text('an address or a name')),
  trustProxy: option(
    '--trust-proxy <CIDR,…>',
    'loopback',
    'Clients',
    'whose X-Forwarded-For is believed',
    parseTrustedProxies,
  ),
  ipv6Prefix: option(
    '--ipv6-prefix <N>',
    '56',
    'Clients',
    'bits of an IPv6 address that are one client',
    integer(48, 64),
  ),
  rateLimit: option(
    '--rate-limit <N>',
    '100',
    'Rate limit',
    'requests per window and client',
    integer(1, MAX_RATE_LIMIT),
  ),
  rateWindow: option(
    '--rate-window <DURATION>',
    '1h',
    'Rate limit',
    'length of a window',
    duration(1000, MAX_RATE_WINDOW_MS),
  ),
  rateStore: option(
    '--rate-store <STORE>',
    'memory',
    'Rate limit',
    'memory, or redis://… shared by several proxies',
    rateStore,
  ),
  ratePrefix: option(
    '--rate-prefix <TEXT>',
    'analytics:rate:',
    'Rate limit',
    'of its keys in redis: one for each platform',
    ratePrefix,
  ),
  rateClients: option(
    '--rate-clients <N>',
    '1000000',
    'Rate limit',
    'clients remembered at most',
    integer(1000, MAX_RATE_CLIENTS),
  ),
  cache: option('--cache <SIZE>', '64MiB', 'Memory', 'of prepared bodies', size(1 << 20, 64 * 2 ** 30)),
  streams: option(
    '--streams <N>',
    String(DEFAULT_STREAMS),
    'Memory',
    'large answers sent at once; a 16th for one client',
    integer(1, 65_536),
  ),
  logLevel: logLevelOption,
}
