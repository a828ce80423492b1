// Reads the admin port: the text of /metrics, and its samples.
import { expect } from 'vitest'
import { ask } from './proxy.ts'

export const PREFIX = 'analytics_proxy_'

/** The name of a sample, without PREFIX. */
export const requests = (endpoint: string, status: number): string =>
  `requests_total{endpoint="${endpoint}",status="${status}"}`

export async function metricsOf(port: number): Promise<string> {
  const { status, headers, text } = await ask(port, '/metrics')
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  return text
}

/** Each sample by its name and labels, as written. */
export async function scrape(port: number): Promise<ReadonlyMap<string, number>> {
  const lines = (await metricsOf(port)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const samples = lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))] as const)
  const map = new Map(samples)
  expect(map.size).toBe(lines.length)
  return map
}
