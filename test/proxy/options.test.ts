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

test('--admin-port is a port, or one after an address', () => {
  const read = (given: string): unknown => PROXY_OPTIONS.adminPort.parseArg?.(given, null)
  expect(read('9464')).toEqual({ host: '127.0.0.1', port: 9464 })
  expect(read('0.0.0.0:0')).toEqual({ host: '0.0.0.0', port: 0 })
  expect(read('[::1]:65535')).toEqual({ host: '::1', port: 65_535 })
  for (const given of ['', 'x', '65536', '::1:80', '127.0.0.1', ':80', '[::1]', '-1'])
    expect(() => read(given), given).toThrow('Allowed: ')
})
