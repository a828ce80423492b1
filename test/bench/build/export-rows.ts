// Owns the measurement of formatting alone: rows of the ideas export to JSON and CSV, per second of processor time.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Part } from './part.ts'

interface Round {
  readonly rows: number
  readonly formatSeconds: number
  readonly writeSeconds: number
}

const PROGRAM = join(import.meta.dirname, 'export-rows-program.js')

export const measureExportRows: Part = async ({ settings, base, dir }) => {
  const args = [PROGRAM, base.url, dir, String(settings.rounds)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const rounds = JSON.parse(stdout) as Round[]
  const per = (figure: 'formatSeconds' | 'writeSeconds'): number[] => rounds.map((round) => round.rows / round[figure])
  const how = `the ${(rounds[0]?.rows ?? 0).toLocaleString('en')} ideas of the data set, read before, in batches as COPY brings them; processor time of a process of its own, ${settings.rounds} rounds`
  return {
    tables: [
      {
        title: 'Rows to JSON and CSV together, per second of processor time',
        how,
        rows: [
          { name: 'formatted', unit: '', values: per('formatSeconds'), goal: { atLeast: 150_000 } },
          { name: 'formatted for every period, hashed and written', unit: '', values: per('writeSeconds') },
        ],
      },
    ],
    raw: rounds,
  }
}
