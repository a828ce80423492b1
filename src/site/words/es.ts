import { en, type Catalogue } from './en.ts'

export const es: Catalogue = en
