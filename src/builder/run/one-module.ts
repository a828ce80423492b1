// Owns making one module of a compiled module and those that it imports, so that a page loads one file. Reads what the compiler
// wrote, and nothing else: each statement that it knows stands in lines of its own.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^import (?:\{([^}]*)\} from )?'(\.[^']*)';\n/gm
const EXPORT = /^export ((?:async )?function\*?|const|let|class) (\w+)/gm
const REST = /^(?:import|export)\b.*/m
/** Lines of the compiler's output that are comments: not in a text of several lines, which no such module has at its margin. */
const COMMENTS = /^\s*\/\*\*[^]*?\*\/\n|^\s*\/\/.*\n?/gm

/**
 * Each module becomes a function that is called once and gives what it exports.
 * @throws Error for a module that imports a package, or in a way that is not known here: a fault of the program
 */
export function oneModule(path: string, read: (path: string) => string = (one) => readFileSync(one, 'utf8')): string {
  const names = new Map<string, string>()
  const bodies: string[] = []
  const add = (file: string): string => {
    const known = names.get(file)
    if (known !== undefined) return known
    const exported: string[] = []
    const body = read(file)
      .replace(COMMENTS, '')
      .replace(IMPORT, (_, wanted: string | undefined, from: string) => {
        const name = add(join(dirname(file), from))
        return wanted === undefined ? '' : `const {${wanted.replaceAll(' as ', ': ')}} = ${name};\n`
      })
      .replace(EXPORT, (_, kind: string, name: string) => {
        exported.push(name)
        return `${kind} ${name}`
      })
    const rest = REST.exec(body)?.[0]
    if (rest !== undefined)
      throw new Error(`${file}: ${rest}: a module of the page imports only relative ones, by name`)
    const name = `module${names.size}`
    names.set(file, name)
    bodies.push(`const ${name} = (() => {\n${body}return { ${exported.join(', ')} };\n})();\n`)
    return name
  }
  add(path)
  return bodies.join('')
}
