// Owns the part of a head that is the same for every client: put together once, and anew only when the age or the
// coding says something else. Knows no client and no request.
import { codingHeaders, type Body, type Headers } from './answer.ts'
import { CORS } from './api-headers.ts'

interface Head {
  readonly age: Headers
  readonly headers: Headers
}

/** The headers of the answers to one resolved query. */
export class HeaderCache {
  readonly #typeHeaders: Headers
  readonly #headers: Headers
  readonly #known: Partial<Record<string, Head>> = {}

  /** @param typeHeaders of the body: its type and name; @param headers of the release and the variant */
  constructor(typeHeaders: Headers, headers: Headers) {
    this.#typeHeaders = typeHeaders
    this.#headers = headers
  }

  /** @param age from ageHeaders: compared by identity */
  of(body: Body, age: Headers): Headers {
    const coding = body.kind === 'none' ? 'none' : (body.coding ?? 'identity')
    const known = this.#known[coding]
    if (known?.age === age) return known.headers
    const ofBody = body.kind === 'none' ? [] : [...this.#typeHeaders, ...codingHeaders(body)]
    const headers = [...ofBody, ...CORS, ...this.#headers, ...age]
    this.#known[coding] = { age, headers }
    return headers
  }
}
