import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { onDisk } from '../../../src/release/format/release-error.ts'

test.each<[string, NodeJS.ErrnoException, string]>([
  [
    'a full disk',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 }),
    'cannot write /a: ENOSPC, the disk is full; free space, or lower --keep',
  ],
  [
    'a quota that is used up, which Node has no name for',
    Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno: -constants.errno.EDQUOT }),
    'cannot write /a: EDQUOT, the disk quota is used up; free space, or lower --keep',
  ],
  [
    'anything else',
    Object.assign(new Error('ENXIO: no such device or address'), { code: 'ENXIO', errno: -6 }),
    'cannot write /a: ENXIO: no such device or address',
  ],
])('names %s', async (_, error, message) => {
  await expect(onDisk('write', '/a', () => Promise.reject(error))).rejects.toThrow(message)
})
