// Owns the table of the tortures of the proxy over HTTP: which guarantee, how the fault is injected, how often in full.
import { manyClients } from './many-clients.ts'
import { mutatedRequests } from './mutated-requests.ts'
import { KINDS, type Kind } from './pipelines.ts'
import { sumOf, times, type Part, type Tally } from './tally.ts'
import { LARGE_RELEASE } from '../support/large-release.ts'
import { returningFloods, type Flood } from './returning-floods.ts'
import { unreadPipelines } from './unread-pipelines.ts'

const MUTATED_REQUESTS = 1_000_000
const SLOW_HEADS = { connections: 4_500, requests: 1 }
/** Each has buffers in the kernel, 2 to 3 MiB each. */
const SLOW_READERS = { connections: 500, requests: 1 }
const SLOW_BOUNDS = { measuredMs: 15_000, maxP99Ms: 2_000, maxRatio: 2, maxMoreMib: 400 }
const MANY_CLIENTS = 1_333_333
const PIPELINED = { connections: 1, requests: 300_000 }
const PIPELINES = { connections: 300, requests: 10_000 }
const PIPELINES_BOUNDS = { measuredMs: 15_000, maxP99Ms: 2_000, maxMoreMib: 320 }
/** So few that no connection is cut for it. */
const CONNECTIONS = { connections: 1_000, requests: 31 }
const CONNECTIONS_BOUNDS = { measuredMs: 5_000, maxP99Ms: 2_000, maxRatio: 2, maxMoreMib: 200, maxNeighbourMs: 1_000 }
/** Cut floods, floods of few requests on more connections than a client may have, and of connections that say nothing. */
const FLOODS = (
  [
    [300, 10_000, 'unread'],
    [300, 10_000, 'half-read'],
    [300, 10_000, 'closed in the middle'],
    [1_000, 31, 'unread'],
    [1_000, 31, 'older release'],
    [1_000, 1, 'silent'],
  ] as const
).flatMap(([connections, requests, kind]) =>
  [false, true].map((isTrusted): Flood => ({ connections, requests, kind, isTrusted })),
)
const FLOODS_BOUNDS = { measuredMs: 15_000, maxP99Ms: 600, maxNeighbourMs: 2_000, maxMoreMib: 320 }
/** So that this machine is a client. */
const NOT_TRUSTED = ['--trust-proxy', '192.0.2.1']

export const HTTP_PARTS: Readonly<Record<string, Part>> = {
  mutated: {
    guarantee: 'no crash, no answer of 500 or more, no socket open over 15 s, memory within 5 %',
    injected: 'mutated requests, eight on a connection',
    run: (context) => mutatedRequests(times(MUTATED_REQUESTS, context), context.random, context.signal),
  },
  slow: {
    guarantee: 'p99 of others at most doubled or 50 ms, memory grows by at most 400 MiB and connections are gone after',
    injected: 'connections with heads that never end and large answers that are not read, from another process',
    async run(context) {
      const attacked = (attack: typeof SLOW_HEADS, kind: Kind): Promise<Tally> => {
        const attacks = [{ ...attack, connections: times(attack.connections, context) }]
        return unreadPipelines({ attacks, kinds: [kind], release: LARGE_RELEASE }, SLOW_BOUNDS, context.signal)
      }
      return sumOf([await attacked(SLOW_HEADS, 'slow heads'), await attacked(SLOW_READERS, 'slow readers')])
    },
  },
  pipelines: {
    guarantee: 'others are answered, p99 at most 2 s, memory grows by at most 320 MiB and connections are gone after',
    injected: 'requests sent ahead by another process: not read, half read, closed in the middle',
    run: (context) =>
      unreadPipelines(
        {
          attacks: [PIPELINED, { ...PIPELINES, connections: times(PIPELINES.connections, context) }],
          kinds: ['unread', 'half-read', 'closed in the middle'],
        },
        PIPELINES_BOUNDS,
        context.signal,
      ),
  },
  connections: {
    guarantee:
      'p99 of others at most doubled or 50 ms, neighbours answered or refused in 1 s, memory grows by at most 200 MiB',
    injected: 'a thousand connections of one address, by another process',
    run: (context) =>
      unreadPipelines(
        { attacks: [CONNECTIONS], kinds: KINDS, options: NOT_TRUSTED },
        CONNECTIONS_BOUNDS,
        context.signal,
      ),
  },
  floods: {
    guarantee: 'p99 of others at most 600 ms without an error, of neighbours 2 s, memory grows by at most 320 MiB',
    injected: 'connections of one address, or of a trusted front, that come back as soon as they are cut',
    run: (context) => returningFloods(FLOODS, FLOODS_BOUNDS, context.signal),
  },
  clients: {
    guarantee:
      'refused clients stay refused, memory bounded: 128 MiB, and at most 5 % more after as many clients again',
    injected: 'clients that come once, by X-Forwarded-For',
    run: (context) => manyClients(times(MANY_CLIENTS, context)),
  },
}
