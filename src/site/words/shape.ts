// Owns what the words of a language can be: texts, plurals, and texts by name. Types only; knows no word.

/** A text for one, and for any other number; `{n}` is the number. */
export interface Plural {
  readonly one: string
  readonly other: string
}

/** A text, a plural, or texts by name. */
export type Words = { readonly [name: string]: string | Plural | Words }

/** The same names, with any texts. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : T[K] extends Plural ? Plural : Translated<T[K]>
}
