import { constants } from 'node:os'
import { expect, test } from 'vitest'
import { onDisk, readingOfRelease } from '../../../src/release/format/release-error.ts'

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

test.each([
  ['is not there', 'ENOENT', 'damaged'],
  ['is below what is no folder', 'ENOTDIR', 'damaged'],
  ['may not be read', 'EACCES', 'unreadable'],
  ['is on a disk that fails', 'EIO', 'unreadable'],
  ['fails without a code', undefined, 'unreadable'],
])('a file of a release that %s (%s) is %s', async (_, code, is) => {
  const error = Object.assign(new Error('it failed'), { code })
  await expect(readingOfRelease('read', '/a', () => Promise.reject(error))).rejects.toMatchObject({ code: is })
})
