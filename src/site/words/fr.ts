import { en, type Catalogue } from './en.ts'

export const fr: Catalogue = en
