// src/site/catalogues/dcat.ts, json-ld.ts
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { dcatFile } from '../../../src/site/catalogues/dcat.ts'
import { datasetJsonLd } from '../../../src/site/catalogues/json-ld.ts'
import { hostileInput, PUBLIC_URL, siteInput } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

type Node = Readonly<Record<string, unknown>>

function graphOf(input: SiteInput): Node[] {
  return (JSON.parse(dcatFile(input)[0]?.text ?? '') as { '@graph': Node[] })['@graph']
}

function ofType(graph: readonly Node[], type: string): Node[] {
  return graph.filter((node) => node['@type'] === type)
}

/** The nodes that a property names by their id. */
function named(graph: readonly Node[], value: unknown): (Node | undefined)[] {
  return [value].flat().map((one) => graph.find((node) => node['@id'] === (one as Node)['@id']))
}

test('DCAT-AP has what the profile calls mandatory, and every reference leads to a node', () => {
  const graph = graphOf(siteInput())
  const [catalog] = ofType(graph, 'dcat:Catalog')
  const [dataset] = ofType(graph, 'dcat:Dataset')
  // DCAT-AP 3.0: mandatory properties of each class.
  for (const property of ['dct:title', 'dct:description', 'dct:publisher', 'dcat:dataset'])
    expect(catalog).toHaveProperty([property])
  for (const property of ['dct:title', 'dct:description']) expect(dataset).toHaveProperty([property])
  expect(named(graph, catalog?.['dcat:dataset'])).toEqual([dataset])
  const [publisher] = named(graph, dataset?.['dct:publisher'])
  expect(publisher).toMatchObject({ '@type': 'foaf:Agent', 'foaf:name': 'City of Harbourtown' })
  const distributions = named(graph, dataset?.['dcat:distribution'])
  expect(distributions).toEqual(ofType(graph, 'dcat:Distribution'))
  expect(distributions).toHaveLength(51 + 3)
  for (const node of distributions) {
    expect(node?.['dcat:accessURL']).toMatchObject({
      '@id': expect.stringMatching(`^${PUBLIC_URL}/(?:analytics/export/.*\\.csv|bulk\\.zip|(?:ideas|tables)\\.xlsx)$`),
    })
    expect(node?.['dct:license']).toEqual({ '@id': 'https://creativecommons.org/licenses/by/4.0/' })
  }
  expect(new Set(graph.map((node) => node['@id'])).size).toBe(graph.length)
  for (const node of graph) for (const key of Object.keys(node)) expect(key).toMatch(/^@|^(?:dcat|dct|foaf|vcard):\w+$/)
})

test('DCAT-AP says when, how often, in which languages, whom to ask, and that it is for everybody', () => {
  const dataset = ofType(graphOf(siteInput({ languages: ['fr', 'en'] })), 'dcat:Dataset')[0]
  // The operator wrote it in the first language of the site; the words around it are English.
  expect(dataset?.['dct:title']).toMatchObject({ '@language': 'fr' })
  expect(dataset?.['dct:description']).toMatchObject({ '@language': 'en' })
  const ours = { ...siteInput().words, title: 'Public Analytics' }
  const unnamed = ofType(graphOf(siteInput({ languages: ['fr'], words: ours })), 'dcat:Dataset')[0]
  expect(unnamed?.['dct:title']).toMatchObject({ '@language': 'en' })
  const authority = 'http://publications.europa.eu/resource/authority'
  expect(dataset).toMatchObject({
    'dct:modified': { '@type': 'xsd:dateTime', '@value': '2026-11-22T13:17:04.641Z' },
    'dct:accessRights': { '@id': `${authority}/access-right/PUBLIC` },
    'dct:accrualPeriodicity': { '@id': `${authority}/frequency/UPDATE_CONT` },
    'dct:language': [{ '@id': `${authority}/language/FRA` }, { '@id': `${authority}/language/ENG` }],
    'dcat:contactPoint': { 'vcard:hasEmail': { '@id': 'mailto:data@harbourtown.example' } },
  })
  const daily = siteInput({ nextUpdateAt: '2026-11-23T13:17:04.641Z' })
  expect(ofType(graphOf(daily), 'dcat:Dataset')[0]).toMatchObject({
    'dct:accrualPeriodicity': { '@id': `${authority}/frequency/DAILY` },
  })
})

test('DCAT-AP has the code of the EU for each language: three letters of ISO 639-3, never those of ISO 639-2/B', () => {
  const dataset = ofType(graphOf(siteInput({ languages: LANGUAGES })), 'dcat:Dataset')[0]
  const codes = [dataset?.['dct:language']].flat().map((one) => /[^/]+$/.exec(String((one as Node)['@id']))?.[0] ?? '')
  expect(codes.map((code) => Intl.getCanonicalLocales(code)[0])).toEqual(LANGUAGES)
  for (const code of codes)
    expect(code).toMatch(
      /^(?!ALB|ARM|BAQ|BUR|CHI|CZE|DUT|FRE|GEO|GER|GRE|ICE|MAC|MAO|MAY|PER|RUM|SLO|TIB|WEL)[A-Z]{3}$/,
    )
})

test('schema.org has a Dataset that search engines accept', () => {
  const dataset = JSON.parse(datasetJsonLd(siteInput()) ?? '') as Node
  expect(dataset).toMatchObject({
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: 'Harbourtown Ideas',
    license: 'https://creativecommons.org/licenses/by/4.0/',
    temporalCoverage: '2026-11-01/2026-11-22',
  })
  // Google asks for 50 to 5,000 characters.
  expect(String(dataset['description']).length).toBeGreaterThan(50)
  expect(dataset['distribution']).toHaveLength(11 + 3)
})

test('neither is there without a licence, or without an address', () => {
  const unlicensed = siteInput({ words: { ...siteInput().words, license: null } })
  for (const input of [unlicensed, siteInput({ publicUrl: null })]) {
    expect(dcatFile(input)).toEqual([])
    expect(datasetJsonLd(input)).toBeNull()
  }
})

test.each(NAUGHTY)('any name of the site is data: %j', (text) => {
  const input = hostileInput(text)
  const [, dataset] = graphOf(input)
  expect(dataset?.['dct:title']).toEqual({ '@language': 'en', '@value': text })
  const script = datasetJsonLd(input) ?? ''
  expect(script).not.toContain('<')
  expect((JSON.parse(script) as Node)['name']).toBe(text)
})
