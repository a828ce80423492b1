// Owns --log-level, which both programs have. Writes no log.
import { choice } from './option.ts'

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const logLevelOption = choice<LogLevel>(
  '--log-level <LEVEL>',
  'info',
  'log from this level on: error, warn, info, debug',
  LOG_LEVELS,
)
