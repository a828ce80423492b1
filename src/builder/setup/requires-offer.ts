// Owns offering the `requires` lines that a check proposes, and where in a mapping file they go. Writes nothing.
import type { CheckReport } from '../../source/check/check.ts'
import { parseMappingFile } from '../../source/mapping/file-format.ts'
import type { MappingSource } from '../../source/mapping/mapping.ts'
import { requiresLine } from '../../source/mapping/requires-line.ts'
import type { Ask } from './ask.ts'

/** @returns the source as it is to be read from now on; the same = its file stays */
export async function offerRequires(
  ask: Ask,
  source: MappingSource,
  { proposedRequires }: Pick<CheckReport, 'proposedRequires'>,
): Promise<MappingSource> {
  const { path, text } = source
  // A mapping that is built in is not the operator's to change.
  if (proposedRequires.length === 0 || path !== source.name) return source
  const answer = await ask.choose({
    message: `Add to ${path} the requires lines that the check proposes? They change no number: they say what the role may read, and let a build name what is missing.`,
    flag: '--source FILE that has them',
    options: [
      { value: 'add', label: 'add them' },
      { value: 'leave', label: 'leave the file as it is' },
    ],
    byDefault: 'add',
  })
  if (answer === 'leave') return source
  const added = withLines(text, proposedRequires.map(requiresLine))
  return { ...source, text: added, file: parseMappingFile(path, added) }
}

/** Puts lines below the lines `requires` of the head, or above the first section where there are none. */
export function withLines(text: string, added: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = text.split(/(?<=\n)/)
  const head = lines.slice(
    0,
    lines.findIndex((line) => /^\uFEFF?-- ?(?:section|choices)\b/.test(line)),
  )
  const last = head.findLastIndex((line) => /^-- ?requires\b/.test(line))
  const block = [...added, ...(last === -1 ? [''] : [])].map((line) => `${line}${end}`)
  return lines.toSpliced(last === -1 ? head.length : last + 1, 0, ...block).join('')
}
