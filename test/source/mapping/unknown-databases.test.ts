// What init says of databases that no mapping is made for: src/source/mapping/likely-tables.ts, template.ts. It starts a real
// PostgreSQL.
import { beforeAll, describe, expect, test } from 'vitest'
import { Client } from 'pg'
import { readCatalog, tableText, type CatalogTable } from '../../../src/source/database/catalog.ts'
import { rankTables, TABLE_ROLES, type RankedTables } from '../../../src/source/mapping/likely-tables.ts'
import { templateByTables } from '../../../src/source/mapping/template.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { UNKNOWN_SCHEMAS } from './unknown-schemas.ts'

describeWithPostgres('a database that nobody knows', (postgres) => {
  describe.each(UNKNOWN_SCHEMAS)('$name', (schema) => {
    let catalog: CatalogTable[]
    let ranked: RankedTables
    beforeAll(async () => {
      const connectionString = await postgres().createDatabase(schema.name)
      await postgres().psql(`${schema.sql}\nANALYZE;`, schema.name)
      const client = new Client({ connectionString })
      await client.connect()
      catalog = await readCatalog(client, null)
      await client.end()
      ranked = rankTables(catalog)
    })

    test('has the table of each section proposed first', () => {
      expect(catalog.length).toBeGreaterThan(100)
      const first = Object.fromEntries(
        TABLE_ROLES.map((role) => [role, ranked.candidates[role].slice(0, 1).map(tableText).join()]),
      )
      const { ideas, users, votes, comments, categories } = schema
      expect(first).toEqual({ ideas, users, votes, comments, categories })
      for (const role of TABLE_ROLES) expect(ranked.byRole[role][0]).toBe(ranked.candidates[role][0])
    })

    test('has them in the template, before all others', () => {
      const { text, edit } = templateByTables(catalog)
      expect(edit).toBe(true)
      const lines = text.split('\n')
      const listed = lines.slice(lines.indexOf('-- The tables of this database:') + 1)
      const places = TABLE_ROLES.map((role) => listed.findIndex((line) => line.startsWith(`--   ${schema[role]}(`)))
      for (const place of places) {
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThan(25)
      }
    })

    test('is shown without what tools note for themselves, and without partitions', () => {
      expect(ranked.bookkeeping.map(tableText).sort()).toEqual([...schema.bookkeeping].sort())
      const { text } = templateByTables(catalog)
      for (const table of schema.bookkeeping) expect(text).not.toContain(`--   ${table}(`)
      expect(text).toContain(`without the tools' own notes: `)
      expect(text).not.toMatch(/votes_\d/)
      expect(ranked.ordered.length + ranked.bookkeeping.length + ranked.partitions.length).toBe(catalog.length)
    })
  })
})
