// Owns reading a file that an operator wrote: as text, or a reason that says what is there instead. Knows no option.
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

/** @throws Error whose message is the reason and what is next, and shows nothing of the file */
export function readText(path: string): string {
  const bytes = bytesOf(path)
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  const again = Buffer.from(text)
  const at = bytes.findIndex((byte, i) => byte !== again[i])
  const line = bytes.subarray(0, at).toString('latin1').split('\n').length
  throw new Error(`line ${line} is not UTF-8 (byte ${at + 1} of the file); save it as UTF-8`)
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const why = REASONS[code] === undefined ? message : `${code}, ${REASONS[code]}`
    throw new Error(`${why}; give a file that this user may read`, { cause: error })
  }
}
