// Owns whether names of categories are addresses of people: a join with the wrong table. Pure.
import { count, harmless } from '../../process/printable.ts'

// A longer one is no address; the limits keep a search linear.
const ADDRESS = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]/

/** A sentence for an operator; null = none looks like one. */
export function categoriesOfPeople(names: readonly string[]): string | null {
  // NFKC: a wide @ is one, too.
  const found = names.filter((name) => ADDRESS.test(name.normalize('NFKC')))
  if (found[0] === undefined) return null
  return `${count(found.length)} of ${count(names.length)} categories look like e-mail addresses, such as ${harmless(found[0])}: everybody can read their names`
}
