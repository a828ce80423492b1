// --publish against OpenStack Swift, of Debian.
// real test: OpenStack Swift, the programs
// long test: uploads that are killed at their requests
import { describeWithComponent } from '../../support/real-component.ts'
import { startSwift, swiftAvailable } from '../../support/s3-servers.ts'
import { triesWith } from './real-stores.ts'

describeWithComponent('swift', swiftAvailable(), () =>
  triesWith('swift', startSwift, { checksHashes: true, killedFrom: 2 }),
)
