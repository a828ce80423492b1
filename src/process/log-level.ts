// Owns --log-level, which both programs have. Writes no log.
import { choice, type TypedOption } from './option.ts'

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const logLevelOption: TypedOption<LogLevel> = choice(
  '--log-level <LEVEL>',
  'info',
  'Output',
  'log from here on: error, warn, info, debug',
  LOG_LEVELS,
)
