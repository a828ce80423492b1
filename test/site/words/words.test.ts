// src/site/words, src/site/page/speech.ts
import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../../src/contract/columns.ts'
import { EMPTY } from '../../../src/contract/kinds/shape.ts'
import { EXPORT_TYPES, TABLES } from '../../../src/contract/kinds/tables.ts'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { CATALOGUES, DICTIONARIES, speechOf } from '../../../src/site/page/speech.ts'
import { meaningIn } from '../../../src/site/words/dictionary/en.ts'

/** A text, or texts by name. */
type Words = { readonly [name: string]: string | Words }

/** Every text by its path; the forms of a plural are texts of their own. */
function texts(words: Words, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[`${path}${name}`, value]] : texts(value, `${path}${name}.`),
  )
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name).sort()
const english = new Map(texts(CATALOGUES.en))

describe.each(LANGUAGES)('the catalogue %s', (language) => {
  const own = new Map(texts(CATALOGUES[language]))

  it('has the texts of English, each with its placeholders', () => {
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [name, text] of own) {
      const model = english.get(name) ?? ''
      expect([name, ...placeholders(text)]).toEqual([name, ...placeholders(model)])
    }
  })

  it('calls the language by its own name', () => {
    const name = new Intl.DisplayNames(language, { type: 'language' }).of(language)
    expect(own.get('language')?.toLowerCase()).toBe(name?.toLowerCase())
  })

  it('has no empty text, no markup, no brace that is no placeholder', () => {
    for (const [name, text] of own) {
      expect(text.trim() === text && text !== '', name).toBe(true)
      expect(text.replaceAll(/\{\w+\}/g, ''), name).not.toMatch(/[<>{}]/)
    }
  })

  it('lets no line begin with a sign that has a space before it, as in French', () => {
    for (const [name, text] of own) expect(text, name).not.toMatch(/ [:;!?»]|« /)
  })

  it('says that an embed has no script, and of what time the tables for Excel are', () => {
    expect(own.get('client.embedText')).toMatch(/s[ck]ript/i)
    for (const name of ['downloads.excel', 'downloads.excelTables'])
      expect(own.get(name)).toMatch(/of all time|der gesamten Zeit|depuis le début|de todo el tiempo/)
  })

  it('says other words than English but for names and international ones', () => {
    const same = [...own].filter(
      ([name, text]) => english.get(name) === text && /\p{L}{4}/u.test(text.replaceAll(/\{\w+\}/g, '')),
    )
    if (language !== 'en') expect(same.length).toBeLessThan(16)
  })
})

describe.each(LANGUAGES)('the dictionary %s', (language) => {
  const own = DICTIONARIES[language]
  const columns = EXPORT_TYPES.flatMap((type) =>
    columnsOf(type).map(({ name, description }) => [description, meaningIn(own, type, name)] as const),
  )

  it('says the same of what is the same in English, and something else of everything else', () => {
    const rows = EXPORT_TYPES.map((type) => [TABLES[type].rows, own.rows[type]] as const)
    const all = new Map([...columns, ...rows])
    for (const [model, text] of [...columns, ...rows]) expect([model, all.get(model)]).toEqual([model, text])
    expect(new Set(all.values()).size).toBe(all.size)
    expect(Object.keys(own.reasons)).toEqual(Object.keys(EMPTY))
  })

  it('keeps names of columns, codes, numbers and placeholders as they are', () => {
    const kept = (text: string): string[] =>
      [...text.matchAll(/`[^`]*`|\{\w+\}|\d+|[a-z]+[A-Z]\w+|Uncategorized|CSV|UTC|JSON/g)]
        .map(([found]) => found)
        .sort()
    const words = texts({ ...own, rows: {}, columns: {} })
    const models = new Map(texts({ ...DICTIONARIES.en, rows: {}, columns: {} }))
    for (const [model, text] of [...columns, ...words.map(([name, said]) => [models.get(name) ?? '', said] as const)]) {
      expect([model, ...kept(text)]).toEqual([model, ...kept(model)])
      expect(text).not.toMatch(/^\s|\s$|[<>]/)
      if (language !== 'en') expect(text).not.toBe(model)
    }
    for (const text of [...columns.map(([, translated]) => translated), ...Object.values(own.rows)])
      expect(text).toMatch(/^\S.*\.$/)
  })
})

describe('numbers and times', () => {
  it.each(LANGUAGES)(
    'rounds a percentage once, half up, and not what is rounded to hundredths already (%s)',
    (language) => {
      const digits = ([part, whole]: readonly [number, number]): string =>
        speechOf(language)
          .percent(part, whole)
          .replace(',', '.')
          .replaceAll(/[^\d.]/g, '')
      // 20.447, 1.946, 15.249: of 20.45, 1.95 and 15.25 they would be more.
      const counts = [
        [128, 626],
        [36, 1850],
        [52, 341],
        [1, 2_000],
        [1, 2_001],
        [9, 9],
        [3, 1],
      ] as const
      expect(counts.map(digits)).toEqual(['20.4', '1.9', '15.2', '0.1', '0', '100', '300'])
    },
  )

  it.each(LANGUAGES)('are written as in %s', (language) => {
    const [number, percent, time, size, day] = {
      en: ['1,234,567.8', '16.3%', '22 November 2026, 09:05 UTC', '1.2 MB', '22 Nov'],
      de: ['1.234.567,8', '16,3 %', '22. November 2026, 09:05 UTC', '1,2 MB', '22. Nov.'],
      fr: ['1 234 567,8', '16,3 %', '22 novembre 2026, 09:05 UTC', '1,2 Mo', '22 nov.'],
      es: ['1.234.567,8', '16,3 %', '22 de noviembre de 2026, 09:05 UTC', '1,2 MB', '22 nov'],
    }[language]
    const t = speechOf(language)
    const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, ' ')
    expect(plain(t.number(1_234_567.84))).toBe(number)
    expect(plain(t.percent(1632, 10_000))).toBe(percent)
    expect(plain(t.dateTime('2026-11-22T09:05:59.999Z'))).toBe(time)
    expect(plain(t.bytes(1_249_000))).toBe(size)
    expect(plain(t.tick('2026-11-22', 'day'))).toBe(day)
  })

  it('are in the time zone of the site, days of labels as they are', () => {
    const shown = LANGUAGES.map((language) => {
      const t = speechOf(language, 'America/Sao_Paulo')
      const [label, hour] = ['2026-11-22', '2026-11-23T02:00:00.000Z']
      return [t.dateTime('2026-11-23T02:59:00.000Z'), t.bucket(label, 'day'), t.tick(hour, 'hour'), t.say('{zone}')]
    })
    expect(shown).toEqual([
      ['22 November 2026, 23:59 GMT-3', '22 November 2026', '23:00', 'America/Sao_Paulo'],
      ['22. November 2026, 23:59 GMT-3', '22. November 2026', '23:00', 'America/Sao_Paulo'],
      ['22 novembre 2026, 23:59 UTC−3', '22 novembre 2026', '23:00', 'America/Sao_Paulo'],
      ['22 de noviembre de 2026, 23:59 GMT-3', '22 de noviembre de 2026', '23:00', 'America/Sao_Paulo'],
    ])
  })

  it('are in UTC wherever the build runs, to the last millisecond of a day', () => {
    for (const language of LANGUAGES) {
      const t = speechOf(language)
      expect(t.date('2026-12-31T23:59:59.999Z')).toContain('2026')
      expect(t.dateTime('2026-12-31T23:59:59.999Z')).toContain('23:59')
      expect(t.tick('2027-01-01', 'month')).toBe('2027')
    }
  })

  it('choose the form of a plural as the language does', () => {
    const { votes } = CATALOGUES.en.trending
    expect([0, 1, 2].map((n) => speechOf('en').count(votes, n))).toEqual(['0 votes', '1 vote', '2 votes'])
    const fr = speechOf('fr')
    expect([0, 1, 2].map((n) => fr.count(CATALOGUES.fr.trending.votes, n))).toEqual(
      [0, 1, 2].map((n) => `${n} ${n < 2 ? 'vote' : 'votes'}`),
    )
  })

  it('put values in without reading them as placeholders', () => {
    expect(speechOf('en').say('{a} of {b}', { a: '{b}$&', b: 1234 })).toBe('{b}$& of 1,234')
    expect(speechOf('en').put('{a}!', { a: '{b}' })).toEqual(['', '{b}', '!'])
  })
})
