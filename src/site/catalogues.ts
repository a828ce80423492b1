// Owns the catalogues of all languages, and the speech of each.
import type { Language } from './input.ts'
import { speechWith, type Speech } from './speech.ts'
import { de } from './words/de.ts'
import { en, type Catalogue } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es }

const known = new Map<string, Speech>()

/** @param timeZone in which times are written (IANA) */
export function speechOf(language: Language, timeZone = 'UTC'): Speech {
  const key = `${language} ${timeZone}`
  const speech = known.get(key) ?? speechWith(language, CATALOGUES[language], timeZone)
  known.set(key, speech)
  return speech
}
