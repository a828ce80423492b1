// Owns --log-level, which both programs have. Writes no log.
import { option, type OptionSpec } from './command-line.ts'
import { oneOf } from './value-syntax.ts'

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const logLevelOption: OptionSpec<LogLevel> = option(
  '--log-level',
  'LEVEL',
  'info',
  'Output',
  'log from here on: error, warn, info, debug',
  oneOf(...LOG_LEVELS),
)
