import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { ensureFolder } from '../../../src/release/writing/fsync-folder.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

it('makes what is missing, and takes what is there', async () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  await ensureFolder(folder)
  await ensureFolder(folder)
  expect(statSync(folder).isDirectory()).toBe(true)
})

it('says that a file is in the way', async () => {
  const folder = join(temporaryFolder(), 'file')
  writeFileSync(folder, '')
  await expect(ensureFolder(folder)).rejects.toThrow(/^cannot create .*file: EEXIST/)
  await expect(ensureFolder(join(folder, 'below'))).rejects.toThrow(/ENOTDIR, a part of the path is not a folder/)
})

it('ends with an error where this process was started in a folder that is gone', async () => {
  const [before, gone] = [process.cwd(), temporaryFolder()]
  process.chdir(gone)
  onTestFinished(() => process.chdir(before))
  rmSync(gone, { recursive: true })
  await expect(ensureFolder(join('a', 'b'))).rejects.toThrow(/^cannot create a\/b: ENOENT/)
})

describeWithComponent('under strace', findProgram('strace', 'strace'), (strace) => {
  it.each<[string, string, (home: string) => string, string[]]>([
    ['one, by its whole path', '', (home) => join(home, 'new'), ['']],
    ['several, by a path from here', 'there', () => join('there', 'x', 'y'), ['there/x', 'there']],
  ])('a new folder is durable in the one above it: %s', (_, there, given, durable) => {
    const home = realpathSync(temporaryFolder())
    mkdirSync(join(home, there), { recursive: true })
    const module = pathToFileURL(packagePath('dist', 'release', 'writing', 'fsync-folder.js')).href
    const program = `await (await import(${JSON.stringify(module)})).ensureFolder(${JSON.stringify(given(home))})`
    const trace = join(home, 'trace')
    const traced = ['-f', '-y', '-o', trace, '-e', 'trace=fsync']
    execFileSync(strace, [...traced, process.execPath, '--input-type=module', '-e', program], { cwd: home })
    const synced = [...readFileSync(trace, 'utf8').matchAll(/fsync\(\d+<([^>]+)>\)/g)].map(([, path]) => path)
    expect(synced).toEqual(durable.map((folder) => join(home, folder)))
  })
})
