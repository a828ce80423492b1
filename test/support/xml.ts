// XML read by a parser that was not written here: expat, as python3 has it, which refuses what is not well-formed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findProgram, type RealComponent } from './real-component.ts'

export interface XmlElement {
  /** `{namespace}name`, as ElementTree writes it. */
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of all that is inside. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

const PARSE = `
import json, sys
from xml.etree import ElementTree
def element(e):
    return {"tag": e.tag, "attributes": e.attrib, "text": "".join(e.itertext()), "children": [element(c) for c in e]}
texts = json.load(sys.stdin)
json.dump([element(ElementTree.fromstring(t.encode("utf-8"))) for t in texts], sys.stdout)
`

export function pythonAvailable(): RealComponent {
  return findProgram('python3', 'python3')
}

/** One process for all of them; rejects with what the parser says of the first that is not well-formed. */
export async function parseXml(python: string, texts: readonly string[]): Promise<XmlElement[]> {
  const child = spawn(python, ['-c', PARSE], { stdio: 'pipe', env: { ...process.env, PYTHONIOENCODING: 'utf-8' } })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.end(JSON.stringify(texts))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(err.trim().split('\n').at(-1))
  return JSON.parse(out) as XmlElement[]
}

/** The name without its namespace. */
export function nameOf({ tag }: XmlElement): string {
  return tag.replace(/^\{.*\}/, '')
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => nameOf(child) === name)
}
