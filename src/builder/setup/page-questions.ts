// Owns what is asked about the page, and what is proposed. Effects are given.
import { InvalidArgumentError, type Option } from 'commander'
import { LANGUAGES, type Language } from '../../contract/site-paths.ts'
import { PEOPLE_MODES, type PeopleMode } from '../../contract/people.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { SITE_OPTIONS } from '../commands/site-options.ts'
import { BUILD_OPTIONS } from '../commands/build-options.ts'
import type { Ask, Choice } from './ask.ts'

/** Texts by variable; an empty one unsets it. */
export type Variables = ReadonlyMap<string, string>

/** What the page may say, as far as it is known. */
export interface Proposed {
  readonly siteUrl?: string
  readonly title?: string
  readonly language?: Language
}

export interface Proposals {
  /** What the platform says of itself: the default, also without a terminal. */
  readonly stated: Proposed
  /** Proposed on a terminal only: it may be wrong. */
  readonly guessed: Proposed
}

/**
 * @param given not asked
 * @param before what an earlier set-up chose
 */
export async function askPage(
  ask: Ask,
  given: Variables,
  before: Variables,
  { stated, guessed }: Proposals,
): Promise<Variables> {
  const chosen = new Map(given)
  const put = async (
    option: Option,
    question: (before: string | null, flag: string) => Promise<string>,
  ): Promise<void> => {
    const name = option.envVar ?? ''
    if (!given.has(name))
      chosen.set(name, await question(before.get(name) ?? null, option.flags.replaceAll(/[<>]/g, '')))
  }
  const text = (option: Option, message: string, hint: string, byDefault?: string, guess?: string): Promise<void> =>
    put(option, (old, flag) =>
      ask.text({
        message,
        flag,
        byDefault: old ?? byDefault ?? null,
        optional: true,
        hint,
        fault: faultOf(option),
        ...(old === null && byDefault === undefined && guess !== undefined && { suggested: guess }),
      }),
    )
  await text(
    BUILD_OPTIONS.siteUrl,
    'Address of the platform, to which ideas are linked (empty: no links)',
    'https://ideas.example.org',
    stated.siteUrl,
    guessed.siteUrl,
  )
  await text(
    SITE_OPTIONS.title,
    'Title of the page',
    String(SITE_OPTIONS.title.defaultValue),
    stated.title,
    guessed.title ?? String(SITE_OPTIONS.title.defaultValue),
  )
  await put(SITE_OPTIONS.languages, (old, flag) => askLanguages(ask, old ?? stated.language ?? null, flag))
  await put(SITE_OPTIONS.license, (old, flag) => askLicence(ask, old, flag))
  await text(
    SITE_OPTIONS.publicUrl,
    'Address of the page, for feeds and embeds (empty: not known yet)',
    'https://numbers.example.org',
  )
  return chosen
}

/** What is wrong with a text as the value of an option. */
export function faultOf(option: Option): (text: string) => string | null {
  return (text) => {
    try {
      option.parseArg?.(text, undefined as never)
      return null
    } catch (error) {
      if (error instanceof InvalidArgumentError) return error.message
      throw error
    }
  }
}

const LANGUAGE_NAMES: Readonly<Record<(typeof LANGUAGES)[number], string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
}

async function askLanguages(ask: Ask, before: string | null, flag: string): Promise<string> {
  const old = (before ?? String(SITE_OPTIONS.languages.defaultValue)).split(',')
  const chosen = await ask.several({
    message: 'In which languages?',
    flag,
    options: LANGUAGES.map((value) => ({ value, label: `${value}  ${LANGUAGE_NAMES[value]}` })),
    byDefault: old,
  })
  const [first, ...more] = chosen
  if (first === undefined) return ''
  if (more.length === 0 || chosen.join() === old.join()) return chosen.join()
  const root = await ask.choose({
    message: 'Which of them has the page at its root?',
    flag,
    options: chosen.map((value) => ({ value, label: value })),
    byDefault: chosen.find((value) => value === old[0]) ?? first,
  })
  return [root, ...chosen.filter((value) => value !== root)].join()
}

const OTHER = 'other'

async function askLicence(ask: Ask, before: string | null, flag: string): Promise<string> {
  const usual: Choice[] = [
    { value: 'CC-BY-4.0', label: 'CC-BY-4.0', hint: 'free to use, with the source named' },
    { value: 'CC0-1.0', label: 'CC0-1.0', hint: 'free to use, no condition' },
    { value: 'ODbL-1.0', label: 'ODbL-1.0', hint: 'source named, derived databases under the same licence' },
    { value: '', label: 'none', hint: 'no licence is claimed' },
    { value: OTHER, label: 'another one', hint: 'by its SPDX identifier' },
  ]
  const isUsual = usual.some(({ value }) => value === (before ?? ''))
  const options = isUsual || before === null ? usual : [{ value: before, label: before }, ...usual]
  const chosen = await ask.choose({
    message: 'Under which licence is the data?',
    flag,
    options,
    byDefault: before ?? '',
  })
  if (chosen !== OTHER) return chosen
  return ask.text({
    message: 'Its SPDX identifier?',
    flag,
    byDefault: null,
    hint: 'OGL-UK-3.0',
    fault: faultOf(SITE_OPTIONS.license),
  })
}

const PEOPLE_HINTS: Readonly<Record<PeopleMode, string>> = {
  exact: 'as they are counted',
  rounded: 'to 5, below 8 not shown, as of midnight',
  off: 'none are published',
}

/** After the check, which knows on how many days few people were active. */
export function askPeople(ask: Ask, { fewPeople }: CheckReport, before: string | null): Promise<string> {
  const few =
    fewPeople === null || fewPeople.days === 0
      ? ''
      : ` On ${fewPeople.days} of the last ${fewPeople.of} days 1 to 7 people were active: an exact number may point to somebody.`
  return ask.choose({
    message: `How are numbers of people published?${few}`,
    flag: '--people exact|rounded|off',
    options: PEOPLE_MODES.map((value) => ({ value, label: value, hint: PEOPLE_HINTS[value] })),
    byDefault: before ?? (few === '' ? String(BUILD_OPTIONS.people.defaultValue) : 'rounded'),
  })
}
