// What a person or a supervisor sees of the programs: the log, the moving line, the signals.
import { EventEmitter } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog, logSink, type LogTarget } from '../../src/process/log.ts'
import { createProgress } from '../../src/process/progress.ts'
import { stopSignal, StopOverdue } from '../../src/process/stop-signal.ts'

function fakeStream(isTTY: boolean): { readonly stream: NodeJS.WriteStream; written: () => string } {
  let text = ''
  const stream = { isTTY, columns: 40, write: (part: string) => ((text += part), true) }
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => text }
}

afterEach(() => void vi.unstubAllEnvs())

describe('the log', () => {
  test('is one JSON object a line where nobody looks', () => {
    const { stream, written } = fakeStream(false)
    const log = createLog('analytics-build', stream)
    log.info({ id: 'x', text: 'two\nlines' }, 'published')
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
    log.warn({ stack: undefined }, 'stale')
    expect(written().replaceAll(/\d\d:\d\d:\d\d/g, 'TIME')).toBe(
      'TIME published  id=x files=3 rows={"ideas":7}\nTIME warn: stale\n',
    )
  })
})

describe('progress', () => {
  test('moves on a terminal, at most every 100 ms, within its width, and leaves nothing behind', () => {
    const { stream, written } = fakeStream(true)
    let nowMs = 1000
    const progress = createProgress(stream, () => nowMs, 'xterm')
    progress.clear()
    expect(written()).toBe('')
    progress.show('first')
    nowMs += 99
    progress.show('too soon')
    nowMs += 1
    progress.show('x'.repeat(100))
    progress.clear()
    progress.clear()
    expect(written()).toBe(`\r\u001B[2Kfirst\r\u001B[2K${'x'.repeat(38)}…\r\u001B[2K`)
  })

  test.each([
    ['in a log', false, 'xterm'],
    ['on a terminal that cannot clear a line', true, 'dumb'],
  ])('is silent %s', (_, isTTY, term) => {
    const { stream, written } = fakeStream(isTTY)
    const progress = createProgress(stream, () => 1000, term)
    progress.show('reading')
    progress.clear()
    expect(written()).toBe('')
  })
})

class FakeProcess extends EventEmitter {
  readonly pid = 7
  readonly killed: [number, string][] = []
  kill(pid: number, name: string): void {
    this.killed.push([pid, name])
  }
}

type StopSignal = ReturnType<typeof stopSignal>
const signalsOf = (target: FakeProcess, graceMs?: number, nowMs?: () => number): StopSignal =>
  stopSignal(graceMs, target as unknown as NodeJS.Process, nowMs)

function listenedBy(target: FakeProcess, nowMs?: () => number): StopSignal {
  const stop = signalsOf(target, undefined, nowMs)
  stop.listen()
  return stop
}

describe('a signal', () => {
  test.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
    ['SIGHUP', 129, 'the terminal was closed'],
  ])('%s aborts the work once, and ends with %i', (name, code, reason) => {
    const target = new FakeProcess()
    const stop = listenedBy(target)
    expect([stop.exitCode(), stop.signal.aborted]).toEqual([null, false])
    target.emit(name)
    expect([stop.exitCode(), stop.signal.reason]).toEqual([code, new Error(reason)])
  })

  test('that comes twice for one key is one; another one that a supervisor adds is, too', () => {
    const target = new FakeProcess()
    let nowMs = 1000
    const stop = listenedBy(target, () => nowMs)
    target.emit('SIGINT')
    nowMs += 49
    target.emit('SIGINT')
    nowMs += 5000
    target.emit('SIGTERM')
    expect([stop.exitCode(), target.killed]).toEqual([130, []])
  })

  test('that comes again is Node’s own: the process ends at once', () => {
    const target = new FakeProcess()
    let nowMs = 1000
    listenedBy(target, () => nowMs)
    target.emit('SIGINT')
    nowMs += 50
    target.emit('SIGINT')
    expect(target.killed).toEqual([[7, 'SIGINT']])
    expect(target.eventNames()).toEqual([])
  })

  test('is Node’s again after release', () => {
    const target = new FakeProcess()
    listenedBy(target).release()
    expect(target.eventNames()).toEqual([])
  })
})

describe('work that can be stopped', () => {
  test('is listened for only while it runs', async () => {
    const target = new FakeProcess()
    const stop = signalsOf(target, 1000)
    expect(target.eventNames()).toEqual([])
    const done = stop.during(async () => {
      expect(target.eventNames()).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
      return 'cleaned up'
    })
    target.emit('SIGTERM')
    expect(await done).toBe('cleaned up')
    expect([stop.exitCode(), target.eventNames()]).toEqual([143, []])
  })

  test('is given up when it does not end in time', async () => {
    const target = new FakeProcess()
    const stop = signalsOf(target, 20)
    const done = stop.during(() => new Promise(() => {}))
    target.emit('SIGTERM')
    await expect(done).rejects.toEqual(new StopOverdue('terminated'))
    expect(target.eventNames()).toEqual([])
  })
})

describe('lines that cannot be written', () => {
  const lostLine = (lines: number): string => `${lines} lost\n`
  function failing(): {
    sink: Pick<LogTarget, 'write'>
    fail: (code: string | null) => void
    written: () => string
    exit: () => void
  } {
    let code: string | null = null
    let text = ''
    const target = new EventEmitter()
    const write = (_fd: number, bytes: Buffer): number => {
      if (code !== null) throw Object.assign(new Error(code), { code })
      // Never more than a part.
      const part = bytes.subarray(0, 1000)
      text += part.toString()
      return part.length
    }
    const sink = logSink(2, lostLine, write, target as unknown as NodeJS.Process)
    return { sink, fail: (next) => (code = next), written: () => text, exit: () => target.emit('exit') }
  }

  test.each(['EPIPE', 'EIO', 'ENOSPC', 'EAGAIN'])('%s is waited out; a half-written line is ended first', (code) => {
    const { sink, fail, written } = failing()
    sink.write('one\n')
    fail(code)
    sink.write('two\n')
    sink.write('three\n')
    expect(written()).toBe('one\n')
    fail(null)
    sink.write('four\n')
    expect(written()).toBe('one\ntwo\nthree\nfour\n')
  })

  test('are left out beyond a bound, counted, and the count is written when there is a reader again', () => {
    const { sink, fail, written } = failing()
    fail('EPIPE')
    const line = `${'x'.repeat(1023)}\n`
    for (let i = 0; i < 100; i++) sink.write(line)
    fail(null)
    sink.write('after\n')
    expect(written()).toBe(`${line.repeat(64)}37 lost\n`)
    sink.write('again\n')
    expect(written().endsWith('37 lost\nagain\n')).toBe(true)
  })

  test('are tried once more at the exit', () => {
    const { sink, fail, written, exit } = failing()
    fail('EAGAIN')
    sink.write('last\n')
    fail(null)
    exit()
    expect(written()).toBe('last\n')
  })
})
