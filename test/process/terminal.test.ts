// What a person or a supervisor sees of the programs: the log, the moving line, the signals.
import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/process/log.ts'
import { createProgress } from '../../src/process/progress.ts'
import { listenForStop } from '../../src/process/stop-signal.ts'

function fakeStream(isTTY: boolean): { readonly stream: NodeJS.WriteStream; written: () => string } {
  let text = ''
  const stream = { isTTY, columns: 40, write: (part: string) => ((text += part), true) }
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => text }
}

describe('the log', () => {
  test('is one JSON object a line where nobody looks', () => {
    const { stream, written } = fakeStream(false)
    const log = createLog('analytics-build', stream)
    log.info({ id: 'x', text: 'two\nlines' }, 'published')
    log.debug({}, 'never shown')
    log.error({}, 'failed')
    const lines = written().split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^2.{22}Z$/),
        program: 'analytics-build',
        id: 'x',
        text: 'two\nlines',
        message: 'published',
      },
      { level: 'error', time: expect.any(String), program: 'analytics-build', message: 'failed' },
    ])
  })

  test('runs no escape sequence of other people’s text on a terminal', () => {
    const { stream, written } = fakeStream(true)
    const log = createLog('analytics-build', stream)
    log.info(
      { title: '\u001B[2J\u009B31m', stack: 'Error: \u0007\n    at here' },
      'id \u001B]0;x\u0007\r\nfake: \u202Eline',
    )
    expect(written().slice(9)).toBe('id  ]0;x fake:  line  title= [2J 31m stack=Error:  \n    at here\n')
  })

  test('is readable on a terminal', () => {
    const { stream, written } = fakeStream(true)
    const log = createLog('analytics-build', stream)
    log.info({ id: 'x', files: 3, rows: { ideas: 7 } }, 'published')
    log.warn({}, 'stale')
    expect(
      written()
        .replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')
        .replaceAll('\u001B', 'ESC'),
    ).toBe('TIME published  id=x files=3 rows={"ideas":7}\nTIME ESC[33mwarn: staleESC[0m\n')
  })
})

describe('progress', () => {
  test('moves on a terminal, at most every 100 ms, within its width, and leaves nothing behind', () => {
    const { stream, written } = fakeStream(true)
    let nowMs = 1000
    const progress = createProgress(stream, () => nowMs)
    progress.clear()
    expect(written()).toBe('')
    progress.show('first')
    nowMs += 99
    progress.show('too soon')
    nowMs += 1
    progress.show('x'.repeat(100))
    progress.clear()
    progress.clear()
    expect(written()).toBe(`\r\u001B[2Kfirst\r\u001B[2K${'x'.repeat(39)}\r\u001B[2K`)
  })

  test('is silent in a log', () => {
    const { stream, written } = fakeStream(false)
    const progress = createProgress(stream)
    progress.show('reading')
    progress.clear()
    expect(written()).toBe('')
  })
})

describe('a signal', () => {
  test.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ])('%s aborts the work once, and ends with %i', (name, code, reason) => {
    const target = new EventEmitter()
    const stop = listenForStop(target as NodeJS.Process)
    expect([stop.exitCode(), stop.signal.aborted]).toEqual([null, false])
    target.emit(name)
    expect([stop.exitCode(), stop.signal.reason]).toEqual([code, new Error(reason)])
    // The second one is Node's own: the process ends at once.
    expect(target.eventNames()).toEqual([])
  })

  test('is Node’s again after release', () => {
    const target = new EventEmitter()
    listenForStop(target as NodeJS.Process).release()
    expect(target.eventNames()).toEqual([])
  })
})
