// src/builder/commands/setup.ts asks nothing where its questions or the answers would go to a file.
import { afterEach, expect, test } from 'vitest'
import type { Values } from '../../../src/builder/options/build-options.ts'
import { setup } from '../../../src/builder/commands/setup.ts'
import type { BuilderContext } from '../../../src/builder/run/context.ts'

const { stdin, stdout } = process
const before = [stdin, stdout].map(({ isTTY }) => isTTY)
function setTerminal(...is: readonly boolean[]): void {
  for (const [i, stream] of [stdin, stdout].entries())
    Object.defineProperty(stream, 'isTTY', { value: is[i], configurable: true, writable: true })
}
afterEach(() => setTerminal(...before))

test.each([
  ['neither', false, false],
  ['only what it reads', true, false],
  ['only what it writes', false, true],
])('setup asks nothing where %s is a terminal', async (_, reads, writes) => {
  setTerminal(reads, writes)
  // The file cannot be made: where setup does ask, it refuses that before the first question.
  const values = { yes: false, output: '/dev/null/analytics.env' } as unknown as Values<'setup'>
  await expect(setup(values, {} as BuilderContext)).rejects.toThrow(/^setup asks its questions on a terminal/)
})
