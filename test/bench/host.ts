// Owns what every part of the benchmark says of the machine. Knows no peer and no server.
import { cpus, release, totalmem } from 'node:os'

export const MIB: number = 2 ** 20

export interface Host {
  readonly processor: string
  readonly memory: string
  readonly kernel: string
  readonly node: string
}

export function describeHost(): Host {
  return {
    processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    kernel: `Linux ${release()}`,
    node: process.version,
  }
}
