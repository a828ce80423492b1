// Owns the catalogues of all languages, and the speech of each.
import type { Language } from './input.ts'
import { speechWith, type Speech } from './speech.ts'
import { de } from './words/de.ts'
import { en, type Catalogue } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'

export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de, fr, es }

const known = new Map<Language, Speech>()

export function speechOf(language: Language): Speech {
  const speech = known.get(language) ?? speechWith(language, CATALOGUES[language])
  known.set(language, speech)
  return speech
}
