// Owns what the words of a language can be: texts by name. Types only; knows no word.

/** A text for one, and for any other number; `{n}` is the number. */
export interface Plural {
  readonly one: string
  readonly other: string
}

export type Words = { readonly [name: string]: string | Words }

/** The same names, with any texts. */
export type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> }
