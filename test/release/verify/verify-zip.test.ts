// What an archive may be at worst: whoever serves it has written its sizes. Nothing of it is inflated beyond what the manifest says.
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fileBytesOf, type ManifestFile } from '../../../src/release/format/manifest.ts'
import { FileReading } from '../../../src/release/verify/file-reading.ts'
import { bulkEntries, zipFault } from '../../../src/release/verify/verify-zip.ts'
import { dosTime, entryOf, LOCAL_BYTES, localHeader } from '../../../src/release/format/zip-format.ts'
import { entriesOf, zipOf } from './forger.ts'

const DATA_AS_OF = '2026-05-20T09:30:00.000Z'
const TIME = dosTime(Date.parse(DATA_AS_OF))
const TABLE = 'analytics/export/ideas/7d.csv'
const TEXT = Buffer.from('id,title\r\n'.repeat(200))
const README = { name: 'README.txt', content: Buffer.from('read me') }
const DESCRIBED = { name: 'datapackage.json', content: Buffer.from('{}') }
const SOUND = [README, { name: TABLE, content: TEXT }, DESCRIBED]

const listed = (path: string, bytes: Buffer): ManifestFile => ({ ...fileBytesOf(path, bytes), rows: null })

/** What is said of an archive, and how many of its bytes were taken to say it. */
async function verdictOf(zip: Buffer, contentHash?: string): Promise<readonly [fault: string | null, taken: number]> {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < zip.length; at += 65_536) yield zip.subarray(at, at + 65_536)
  }
  const reading = new FileReading({ ...listed('bulk.zip', zip), contentHash }, pieces())
  const fault = await zipFault(reading, bulkEntries([listed(TABLE, TEXT)]), DATA_AS_OF)
  await reading.close()
  return [fault, reading.bytes]
}

/** An entry whose header says anything. */
function entry(name: string, said: { bytes: number; codedBytes: number }, coded: Buffer, content: Buffer): Buffer {
  const head = entryOf(Buffer.alloc(LOCAL_BYTES), name, TIME)!
  return Buffer.concat([localHeader({ ...head, ...said, crc: crc32(content) }), coded])
}

/** More than every bound that is looked at, and so many that nobody takes all of it by chance. */
const ZEROS = Buffer.alloc(1 << 25)
const BOMB = deflateRawSync(ZEROS)
const readme = zipOf([README], TIME).subarray(0, LOCAL_BYTES + README.name.length + README.content.length)

describe('an archive', () => {
  test('is what the tables of its release make', async () => {
    const zip = zipOf(SOUND, TIME)
    expect(entriesOf(zip)).toEqual(SOUND)
    const content = SOUND.map(({ name, content: one }) => `${name}\t${fileBytesOf('', one).sha256}\n`).join('')
    expect((await verdictOf(zip, fileBytesOf('', content).sha256))[0]).toBe(null)
    expect((await verdictOf(zip))[0]).toBe('its content hash is not the manifest’s')
  })

  test.each<[string, Buffer, RegExp]>([
    [
      'a table that becomes 32 MiB',
      Buffer.concat([readme, entry(TABLE, { bytes: TEXT.length, codedBytes: BOMB.length }, BOMB, TEXT)]),
      /^its analytics\/export\/ideas\/7d\.csv is not that of the release$/,
    ],
    [
      'a table that says so',
      Buffer.concat([readme, entry(TABLE, { bytes: ZEROS.length, codedBytes: BOMB.length }, BOMB, ZEROS)]),
      /^its analytics\/export\/ideas\/7d\.csv has 33554432 bytes, expected 2000$/,
    ],
    [
      'a text that says so',
      entry(README.name, { bytes: ZEROS.length, codedBytes: BOMB.length }, BOMB, ZEROS),
      /^its README\.txt has 33554432 bytes, expected 1048576$/,
    ],
    [
      'a text that is stored in more bytes than it has',
      entry(README.name, { bytes: 7, codedBytes: 0xff_ff_ff_fe }, ZEROS, README.content),
      /^its README\.txt is not that of the release$/,
    ],
    ['nothing', Buffer.alloc(0), /^README\.txt is not where it must be in it$/],
    ['zeros', ZEROS, /^README\.txt is not where it must be in it$/],
    ['an archive of its beginning', zipOf(SOUND, TIME).subarray(0, 200), / is not /],
    ['one of another time', zipOf(SOUND, TIME + 1), /^README\.txt is not where it must be in it$/],
    ['one in another order', zipOf(SOUND.toReversed(), TIME), /^README\.txt is not where it must be in it$/],
  ])('of %s is named after a few bytes', async (_, zip, fault) => {
    const [found, taken] = await verdictOf(zip)
    expect(found).toMatch(fault)
    expect(taken).toBeLessThanOrEqual(Math.min(zip.length, BOMB.length + 65_536))
  })
})
