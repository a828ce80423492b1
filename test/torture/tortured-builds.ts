// Owns what the short tortures of builds share: one workshop for the tests of a file. Apart from those that torture no build.
import { afterAll, beforeAll, describe } from 'vitest'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { compilerAvailable } from './faults.ts'
import { shortTorture, TIMEOUT_MS, type ShortTorture } from './short-torture.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** The tests of a file that tortures builds of one small platform. */
export function describeTorture(name: string, body: (torture: ShortTorture, workshop: () => Workshop) => void): void {
  describe('a build that is tortured', { timeout: TIMEOUT_MS }, () => {
    describeWithComponent('by a library', compilerAvailable(), () => {
      describeWithPostgres('on a small platform', (postgres) => {
        let workshop: Workshop
        beforeAll(async () => {
          workshop = await openWorkshop(postgres())
        })
        afterAll(() => workshop.close())
        body(shortTorture(name), () => workshop)
      })
    })
  })
}
