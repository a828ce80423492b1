// Owns what is known of one request when it is answered. Types only.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHead } from '../http/head.ts'
import type { ClientKey } from '../limit/client-key.ts'

/** Request and response are the client's own, for a store that passes an origin's answer on as a proxy does. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly head: RequestHead
  /** Worked out when it is first asked for: where nobody is counted, nobody is warned of a header that is not read. */
  readonly client: () => ClientKey
}
