// Where the lines go that set-up offers to add to a mapping file.
import { assert, constantFrom, integer, property, array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLines } from '../../../src/builder/setup/requires-offer.ts'
import { found } from '../../../src/model/found.ts'
import { parseMappingFile } from '../../../src/source/mapping/file-format.ts'
import { requiresLine } from '../../../src/source/mapping/requires-line.ts'
import { templateByName } from '../../../src/source/mapping/template.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'

const LINES = ['-- requires votes(id)', '-- requires "Idea"("createdAt")']
const HEAD = '-- mapping: mine\n-- Of our forum.\n'
const SECTION = '-- section users\nSELECT id FROM users -- requires nothing\n-- requires late(id)\n'

describe('the lines are added', () => {
  test.each([
    ['above the first section', `${HEAD}\n${SECTION}`, `${HEAD}\n${LINES.join('\n')}\n\n${SECTION}`],
    [
      'above choices',
      `${HEAD}-- choices a\nSELECT 1\n${SECTION}`,
      `${HEAD}${LINES.join('\n')}\n\n-- choices a\nSELECT 1\n${SECTION}`,
    ],
    [
      'below the lines that are there',
      `${HEAD}-- requires users(id)\n-- no requires\n\n-- param a : int\n${SECTION}`,
      `${HEAD}-- requires users(id)\n${LINES.join('\n')}\n-- no requires\n\n-- param a : int\n${SECTION}`,
    ],
    [
      'with the line ends of the file',
      `${HEAD}${SECTION}`.replaceAll('\n', '\r\n'),
      `${HEAD}${LINES.join('\n')}\n\n${SECTION}`.replaceAll('\n', '\r\n'),
    ],
    ['behind a byte order mark', `\uFEFF${HEAD}${SECTION}`, `\uFEFF${HEAD}${LINES.join('\n')}\n\n${SECTION}`],
    [
      'where the last line has no end',
      `${HEAD}${SECTION.trimEnd()}`,
      `${HEAD}${LINES.join('\n')}\n\n${SECTION.trimEnd()}`,
    ],
  ])('%s', (_, text, expected) => {
    expect(withLines(text, LINES)).toBe(expected)
  })

  test('to the template, below what it says of them', () => {
    const text = withLines(templateByName('mine', true).text, LINES)
    expect(text).toContain(`-- -- requires users(id, created_at)\n\n${LINES.join('\n')}\n\n-- section users\n`)
  })

  test('to any mapping that is right, which says the same besides', () => {
    const names = ['fider', 'decidim', 'talkyard', 'native']
    // Each of the mappings is read as it was once.
    const files = new Map<string, { readonly text: string; readonly parsed: ReturnType<typeof parseMappingFile> }>()
    const table = integer({ min: 0, max: 9 }).map((n) => ({ table: `"T ${n}"`, columns: ['id', `"c${n}"`] }))
    assert(
      property(
        constantFrom(...names),
        constantFrom('\n', '\r\n'),
        array(table, { minLength: 1 }),
        (name, end, added) => {
          const file = found(files, name + end, () => {
            const text = openMapping(name).text.replaceAll('\n', end)
            return { text, parsed: parseMappingFile('a.sql', text) }
          })
          const { requires, ...rest } = file.parsed
          const { requires: more, ...same } = parseMappingFile('a.sql', withLines(file.text, added.map(requiresLine)))
          expect(same).toEqual(rest)
          const all = (lines: readonly { table: string; columns: readonly string[] }[]): string[] =>
            lines.map(requiresLine).sort()
          expect(all(more)).toEqual(all([...requires, ...added]))
        },
      ),
    )
  })
})
