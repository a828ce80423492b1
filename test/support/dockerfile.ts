// The steps of a Dockerfile, run by hand where no container engine is: each stage is a copy-on-write view of this machine's
// root (overlayfs in a mount namespace of its own), so absolute paths are as in the image, and nothing is written here.
import { readFileSync } from 'node:fs'

export interface Step {
  readonly name: string
  /** Of the line, without the flags. */
  readonly rest: string
  readonly flags: Readonly<Record<string, string>>
}

export interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: readonly Step[]
}

export interface Image {
  readonly args: Readonly<Record<string, string>>
  readonly stages: readonly Stage[]
}

export function parseDockerfile(text: string): Image {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const args: Record<string, string> = {}
  const stages: (Stage & { steps: Step[] })[] = []
  for (const line of lines.map((one) => one.trim()).filter((one) => one !== '')) {
    const step = stepOf(line)
    const stage = stages.at(-1)
    if (step.name === 'FROM') {
      const [base = '', , name = 'final'] = step.rest.split(/\s+/)
      stages.push({ name, base, steps: [] })
    } else if (stage !== undefined) stage.steps.push(step)
    else if (step.name === 'ARG') args[step.rest.split('=')[0] ?? ''] = step.rest.replace(/^[^=]*=/, '')
    else throw new Error(`before FROM: ${line}`)
  }
  return { args, stages }
}

function stepOf(line: string): Step {
  const [, name = '', given = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
  const flags = Object.fromEntries(
    [...(/^(?:--\S+\s+)*/.exec(given)?.[0] ?? '').matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key = '', value = '']) => [
      key,
      value,
    ]),
  )
  return { name, rest: given.replace(/^(?:--\S+\s+)*/, '').replaceAll(/\s+/g, ' '), flags }
}

/** The value of a step that an image has once: `ENTRYPOINT`, `USER`. */
export function valueOf({ steps }: Stage, name: string): string {
  return steps.findLast((one) => one.name === name)?.rest ?? ''
}

/** Of the exec form. */
export function wordsOf(value: string): string[] {
  return JSON.parse(/\[.*\]/.exec(value)?.[0] ?? '[]') as string[]
}

/** `#` begins no comment inside of a pattern; later patterns win. */
export function ignoreRules(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = line
        .replace(/^!/, '')
        .replaceAll(/\.|\*\*\/|\*/g, (found) => ({ '.': String.raw`\.`, '**/': '(?:.*/)?', '*': '[^/]*' })[found] ?? '')
      return { included: line.startsWith('!'), matches: new RegExp(`^${pattern}(?:/|$)`) }
    })
  return (path) => !(rules.findLast(({ matches }) => matches.test(path))?.included ?? true)
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/**
 * A script for `unshare --mount sh -e`: runs the stages of an image in $WORK, with the context in $CONTEXT; then $ROOT is the
 * root of the last one. Steps that only describe an image do nothing here.
 */
export function scriptOf({ stages }: Image): string {
  return stages
    .map(({ name, steps }) => {
      let folder = '/'
      const lines = [`stage ${name}`]
      for (const { name: what, rest, flags } of steps) {
        if (what === 'WORKDIR') {
          folder = rest
          lines.push(`mkdir -p "$ROOT${folder}"`)
        } else if (what === 'RUN') lines.push(`chroot "$ROOT" sh -ec ${quoted(`cd ${folder} && ${rest}`)}`)
        else if (what === 'COPY') lines.push(copying(rest, flags, folder))
      }
      return lines.join('\n')
    })
    .join('\n')
}

function copying(rest: string, { from, chown }: Step['flags'], folder: string): string {
  const [source = '', target = ''] = rest.split(' ')
  const path = (target.startsWith('/') ? target : `${folder}/${target}`).replace(/\/\.$/, '/')
  if (from === undefined) return `cp -a "$CONTEXT/${source}" "$ROOT${path}"`
  // A folder is copied as what is in it.
  return `from="$WORK/${from}/root${source}"; if [ -d "$from" ]; then mkdir -p "$ROOT${path}"; cp -a "$from/." "$ROOT${path}"; else cp "$from" "$ROOT${path}"; fi${chown === undefined ? '' : `; chown -R ${chown} "$ROOT${path}"`}`
}

/** Before the stages: how one begins. The official image has Node in /usr/local/bin. */
export const STAGES: string = readFileSync(new URL('./dockerfile-stages.sh', import.meta.url), 'utf8')
