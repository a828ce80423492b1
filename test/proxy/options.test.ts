import { expect, test } from 'vitest'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'

// What the rooms of the proxy rely on: they do not check these values again.
test.each<['rateLimit' | 'rateWindow' | 'rateClients', rejected: string[], accepted: string[]]>([
  ['rateLimit', ['0', '100001', '1.5', 'NaN'], ['1', '100000']],
  ['rateWindow', ['0s', '999ms', '86401s', '25h'], ['1s', '24h']],
  ['rateClients', ['1', '999', '10000001'], ['1000', '10000000']],
])('%s is within its bounds', (name, rejected, accepted) => {
  const { parseArg } = PROXY_OPTIONS[name]
  for (const given of rejected) expect(() => parseArg?.(given, undefined), given).toThrow('Allowed: ')
  for (const given of accepted) expect(parseArg?.(given, undefined), given).toBeTypeOf('number')
})
