// What is said of a database or a bucket that is away for a night, where nobody watches: src/builder/report/last-build.ts.
import { describe, expect, it } from 'vitest'
import { asNews, endingOfError, noteOf, type Ending, type LastBuild } from '../../../src/builder/report/last-build.ts'
import { type CliError, SaidBefore, usageError } from '../../../src/process/cli-error.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'

const MINUTE_MS = 60_000
const EVERY_MS = 5 * MINUTE_MS
const EVENING_MS = Date.parse('2026-05-20T22:00:00.000Z')
const PUBLISHED: Ending = { result: 'published', exitCode: 0, message: null, rejected: null }
const REFUSED: Ending = { ...PUBLISHED, result: 'refused', exitCode: 4, message: 'the past changed' }
const DOWN = new SourceError('cannot connect to reader@10.0.0.7:5432/town: connect ECONNREFUSED 10.0.0.7:5432')
const STARTING = new SourceError('cannot connect to reader@10.0.0.7:5432/town: it is starting (SQLSTATE 57P03)')

/** Builds every five minutes. */
class Night {
  note: LastBuild | null = null
  nowMs = EVENING_MS
  /** By build: what was said of its failure; null = nothing. */
  readonly said: (string | null)[] = []

  build(end: Error | Ending, { times = 1, isWatched = false, stopped = null as number | null } = {}): this {
    for (let i = 0; i < times; i++, this.nowMs += EVERY_MS) {
      const ending = end instanceof Error ? endingOfError(end, stopped) : end
      const before = this.note
      const note = noteOf(before, ending, this.nowMs, !isWatched)
      // As it is kept: in a file.
      this.note = JSON.parse(JSON.stringify(note)) as LastBuild
      if (!(end instanceof Error)) continue
      const news = isWatched ? end : asNews(end, { before, note })
      this.said.push(news instanceof SaidBefore ? null : (news as Error).message)
    }
    return this
  }

  get lines(): string[] {
    return this.said.filter((line) => line !== null)
  }

  /** It has ended, and who was told that it began is to be told. */
  get isOver(): boolean {
    return this.note?.told === null
  }
}

describe('a database that is down at night', () => {
  it('is said once, with since when, and is over with the first good build', () => {
    const night = new Night().build(DOWN, { times: 24 })
    expect(night.lines).toEqual([
      `${DOWN.message}; builds have failed since 2026-05-20T22:00:00.000Z, which is said once a day, and when it is over`,
    ])
    expect(night.note).toMatchObject({ failures: 24, failingSince: '2026-05-20T22:00:00.000Z', result: 'source' })
    expect([night.isOver, night.build(PUBLISHED).isOver]).toEqual([false, true])
  })

  it('is said again after a day, and no sooner', () => {
    const night = new Night().build(DOWN, { times: 2 * 288 + 1 })
    expect(night.said.flatMap((line, i) => (line === null ? [] : [i]))).toEqual([0, 288, 576])
  })

  it('is said again at once when it begins anew', () => {
    expect(new Night().build(DOWN, { times: 3 }).build(PUBLISHED).build(DOWN, { times: 3 }).lines).toHaveLength(2)
  })

  it('is over when a build has read it, also for the gate to reject', () => {
    expect(new Night().build(DOWN).build(REFUSED).isOver).toBe(true)
  })

  it('is said of another cause, and not of two that take turns', () => {
    const night = new Night().build(DOWN, { times: 3 }).build(STARTING, { times: 2 })
    for (let i = 0; i < 10; i++) night.build(DOWN).build(STARTING)
    expect(night.lines.map((line) => line.split(';')[0])).toEqual([DOWN.message, STARTING.message])
  })

  it('is the same cause at another address, and with another id', () => {
    const elsewhere = new SourceError(DOWN.message.replaceAll('10.0.0.7', 'fd00::7'))
    expect(new Night().build(DOWN).build(elsewhere).lines).toHaveLength(1)
  })

  it('keeps few causes, whatever they are', () => {
    const night = new Night()
    for (let i = 0; i < 40; i++) night.build(new SourceError(`fault ${'x'.repeat(i + 1)}`))
    expect([night.lines.length, Object.keys(night.note?.told ?? {}).length]).toEqual([40, 8])
  })

  it('goes on through a build that was stopped, or that failed otherwise, which is always said', () => {
    const wrong = usageError('--keep is wrong')
    const full = new ReleaseError('write', 'the disk is full')
    const night = new Night().build(DOWN).build(new Error('terminated'), { stopped: 143 }).build(wrong).build(wrong)
    night.build(full).build(full).build(DOWN)
    expect(night.said.map((line) => line?.split(';')[0] ?? null)).toEqual([
      DOWN.message,
      'terminated',
      ...[wrong, wrong, full, full].map(({ message }) => message),
      null,
    ])
    expect([night.isOver, night.build(PUBLISHED).isOver]).toEqual([false, true])
  })

  it('is said, and is over, for a mailbox also where a terminal has seen it', () => {
    const night = new Night().build(DOWN, { isWatched: true }).build(DOWN, { times: 3 })
    expect(night.said.map((line) => line?.split(';')[0] ?? null)).toEqual([DOWN.message, DOWN.message, null, null])
    expect(night.build(DOWN, { isWatched: true, times: 2 }).lines).toHaveLength(4)
    expect(night.build(PUBLISHED, { isWatched: true }).isOver).toBe(false)
    expect(night.build(PUBLISHED).isOver).toBe(true)
  })

  it('is said when the clock was set back or ahead by more than a day', () => {
    const night = new Night().build(DOWN, { times: 2 })
    night.nowMs -= 40 * 24 * 60 * MINUTE_MS
    night.build(DOWN, { times: 2 })
    expect(night.lines).toHaveLength(2)
  })

  it('keeps its exit code, said or not', () => {
    const note = noteOf(null, endingOfError(DOWN, null), EVENING_MS, true)
    const [first, second] = [null, note].map((before) =>
      asNews(DOWN, { before, note: noteOf(before, endingOfError(DOWN, null), EVENING_MS, true) }),
    )
    expect([(first as CliError).exitCode, (second as CliError).exitCode, second]).toEqual([
      3,
      3,
      expect.any(SaidBefore),
    ])
  })
})

describe('a bucket that is away', () => {
  const away = (id: string): ReleaseError =>
    new ReleaseError('publish', `${id} is current here, but s3://town is not up to date: cannot GET s3://town/: 503`)

  it('is said once, although each build has a release of its own', () => {
    const night = new Night().build(away('20260520T220000Z-1')).build(away('20260520T220500Z-2'))
    expect([night.lines.length, night.note?.exitCode]).toEqual([1, 6])
  })

  it('and a database, each have a line', () => {
    const night = new Night().build(DOWN, { times: 2 }).build(away('1'), { times: 2 }).build(DOWN, { times: 2 })
    expect(night.said.map((line) => line !== null)).toEqual([true, false, true, false, false, false])
  })
})
