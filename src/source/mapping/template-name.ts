// Owns whether a name given to init was probably meant for a built-in mapping, and which. Knows no text of a mapping.
import { probablyMeant } from '../../process/near-name.ts'
import { builtInMappings } from './mapping.ts'

/**
 * Why nothing is written under a name; null = it is the name of a built-in mapping, or was chosen on purpose.
 * @param isChosen the file to write was given, too
 */
export function whyNotThisName(name: string, isChosen: boolean): string | null {
  const known = builtInMappings()
  if (known.includes(name)) return null
  const near = probablyMeant(name, known)
  const none = `there is no built-in mapping "${name}"`
  if (near !== null) return `${none}; did you mean ${near}? There are: ${known.join(', ')}`
  return isChosen
    ? null
    : `${none}; there are: ${known.join(', ')}. For the template under that name give --output too: analytics-build init ${name} --output ${name}.sql`
}
