// --publish against s3rver, of the npm registry.
// real test: s3rver, the programs
// long test: uploads that are killed at their requests
import { describe } from 'vitest'
import { startS3rver } from '../../support/s3-servers.ts'
import { triesWith } from './real-stores.ts'

describe('s3rver', () => triesWith('s3rver', startS3rver, { checksHashes: false, killedFrom: 1 }))
