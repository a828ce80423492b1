// Coded answers by the thousand: bodies as the proxy prepares and stamps them, of every size and kind of text at which a
// coding could go wrong. A seed gives the same ones again.
import { documentEnd, STAMP_TAIL_BYTES } from '../../src/contract/document-text.ts'
import { formatTimestamp } from '../../src/contract/timestamp.ts'
import type { BodyData, PreparedBody } from '../../src/proxy/answer/prepared-body.ts'
import { stamping } from '../../src/proxy/answer/timestamp-splice.ts'
import { encode, type Coding } from '../../src/release/format/coding.ts'
import { pick, randomStream, type Random } from '../../src/demo/random.ts'
import { codedFault, memberFault } from './coded-fault.ts'

export interface Template {
  /** Says how to read a failure. */
  readonly what: string
  /** Everything before the timestamp. */
  readonly head: Buffer
  readonly stamped: PreparedBody
}

const BUILT = formatTimestamp(Date.parse('2026-05-20T09:30:01.000Z'))
/** Year 0 to 9999: what has 24 characters. */
const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

const around = (bytes: number): number[] => [-1, 0, 1].map((by) => bytes + by)

/** Of the part that is compressed. */
const EDGES: readonly number[] = [
  0,
  1,
  2,
  // The whole text at MIN_CODED_BYTES, at the window of deflate, at the size of a stored block, at a 24-bit br block.
  ...[1 << 10, 1 << 15, 65_535, 1 << 16].flatMap((bytes) => [...around(bytes), ...around(bytes - STAMP_TAIL_BYTES)]),
  // Where bodies change their form (chunk.ts), and input blocks of the encoders.
  ...[1 << 12, 1 << 14, 1 << 17].flatMap(around),
]

const KINDS: Readonly<Record<string, (bytes: number, random: Random) => Buffer>> = {
  zeros: (bytes) => Buffer.alloc(bytes),
  noise: (bytes, random) => Buffer.from(Uint8Array.from({ length: bytes }, () => random() * 256)),
  letters: (bytes, random) => Buffer.alloc(bytes, 'abcdefgh'.slice(0, 1 + Math.floor(random() * 8))),
  // Cut anywhere, also inside a character.
  titles: (bytes, random) => repeated(bytes, () => `{"title":"${pick(random, ['Ideen für 😀', 'a "b"', '公園'])}"},`),
  ideas: (bytes, random) =>
    repeated(bytes, () => `{"id":"${Math.floor(random() * 1e6)}","score":${Math.floor(random() * 900)},"url":null},`),
  // What is at the end is in the data, too: the stamp, the marks of a member, of a last block, of an end.
  ends: (bytes, random) =>
    repeated(bytes, () =>
      pick(random, [documentEnd(BUILT), '\x1f\x8b\x08\0\0\0\0\0\0\xff', '\x01\0\0\xff\xff', '\x03']),
    ),
}

function repeated(bytes: number, next: () => string): Buffer {
  const parts: Buffer[] = []
  for (let made = 0; made < bytes; made += parts.at(-1)!.length) parts.push(Buffer.from(next(), 'utf8'))
  return Buffer.concat(parts, bytes)
}

/** A third at an edge, a third up to 300 bytes, a third up to 100,000 with every order of magnitude alike. */
function headBytes(random: Random): number {
  const draw = random()
  if (draw < 1 / 3) return pick(random, EDGES)
  return Math.floor(draw < 2 / 3 ? random() * 300 : 10 ** (random() * 5))
}

const stampedBody = stamping()

type Kind = keyof typeof KINDS
/** Each kind of text of each size at an edge. */
const AT_EDGES = EDGES.flatMap((bytes) => Object.keys(KINDS).map((kind): [number, Kind] => [bytes, kind]))

export async function templateOf(random: Random, coding: Coding, of?: readonly [number, Kind]): Promise<Template> {
  const [bytes, kind] = of ?? [headBytes(random), pick(random, Object.keys(KINDS))]
  const quality = 1 + Math.floor(random() * 9)
  const head = KINDS[kind]!(bytes, random)
  const text = Buffer.concat([head, Buffer.from(tailAt(BUILT))])
  const coded = await encode(text, STAMP_TAIL_BYTES, coding, quality)
  return { what: `${coding} ${quality}, ${bytes} bytes of ${kind}`, head, stamped: stampedBody(coded, coding) }
}

export function anyMoment(random: Random): number {
  return FIRST_MS + Math.floor(random() * (LAST_MS - FIRST_MS))
}

/** What follows the head: the timestamp and the end of the document. */
export function tailAt(generatedAt: string): string {
  return documentEnd(generatedAt).slice(-STAMP_TAIL_BYTES)
}

export function bodyBytes(data: BodyData): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'latin1') : data
}

/**
 * What zlib finds wrong with the first of so many bodies; null = with none.
 * @param moments of one text: making a template compresses, which costs more than to decode; a stamp only overwrites
 */
export async function faultOf(coding: Coding, bodies: number, moments: number, seed: number): Promise<string | null> {
  const random = randomStream(seed, coding)
  for (let held = 0; held < bodies; held += moments) {
    const { what, head, stamped } = await templateOf(random, coding, AT_EDGES[held / moments])
    for (let i = 0; i < moments; i++) {
      const nowMs = anyMoment(random)
      const body = bodyBytes(stamped.at(nowMs))
      // Where its parts begin and end is the template's, not the moment's.
      const found =
        codedFault(body, coding, head, tailAt(formatTimestamp(nowMs))) ??
        (coding === 'gzip' && i === 0 ? memberFault(body) : null) ??
        (body.length === stamped.bytes ? null : 'its size')
      if (found !== null) return `seed ${seed}, body ${held + i} (${what}) at ${formatTimestamp(nowMs)}: ${found}`
    }
  }
  return null
}
