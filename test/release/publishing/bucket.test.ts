import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { variablesOf } from '../../../src/process/env-file.ts'
import { bucketOf } from '../../../src/release/publishing/bucket.ts'
import { snapshotPaths } from '../../../src/contract/snapshot-paths.ts'
import { bucketAt } from '../../support/memory-s3.ts'
import { SITE_FILES } from '../../support/site-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const KEYS = { AWS_ACCESS_KEY_ID: 'an-id', AWS_SECRET_ACCESS_KEY: 'a-secret' }

describe('an address', () => {
  test.each(['s3://statistics', 's3://my.bucket-1/a/b_c/d.e'])('takes %s', (address) => {
    for (const given of [address, `${address}/`])
      expect(bucketAt(given, { ...KEYS, AWS_REGION: 'r' })).toMatchObject({ shown: address })
  })

  test.each([
    's3://',
    's3://ab',
    's3://Bucket',
    's3://bucket/../x',
    's3://bucket//x',
    's3://bucket/a b',
    's3://bucket/.x',
    's3://key:secret@bucket',
    's3://bucket?x',
    'https://bucket',
    'bucket',
  ])('refuses %s', (address) => {
    expect(bucketOf(address, {})).toEqual({ allowed: expect.stringContaining('s3://bucket/prefix') })
  })

  test('refuses a prefix that is a folder of a site, which another site in the bucket may have', () => {
    const paths = [...Object.keys(SITE_FILES), ...snapshotPaths([]), 'period/7d/index.html', 'snapshots/log.csv']
    const folders = new Set(paths.flatMap((path) => path.split('/').slice(0, -1).slice(0, 1)))
    expect(folders.size).toBeGreaterThan(10)
    for (const folder of folders)
      for (const address of [`s3://bucket/${folder}`, `s3://bucket/town/${folder}/x`])
        expect([address, bucketOf(address, {})]).toEqual([address, { allowed: expect.any(String) }])
  })
})

describe('a bucket', () => {
  test.each([
    [{ AWS_REGION: 'eu-central-1' }, 'AWS_REGION', 'https://statistics.s3.eu-central-1.amazonaws.com', 'eu-central-1'],
    [
      { AWS_DEFAULT_REGION: 'cn-north-1' },
      'AWS_REGION',
      'https://statistics.s3.cn-north-1.amazonaws.com.cn',
      'cn-north-1',
    ],
    [{ AWS_ENDPOINT_URL: 'http://store:9000/' }, 'AWS_ENDPOINT_URL', 'http://store:9000/statistics', 'us-east-1'],
    [
      { AWS_ENDPOINT_URL: 'http://no', AWS_ENDPOINT_URL_S3: 'https://x.example.org/s3', AWS_REGION: 'auto' },
      'AWS_ENDPOINT_URL_S3',
      'https://x.example.org/s3/statistics',
      'auto',
    ],
  ])('%j says by %s that it is at %s', (env, from, url, region) => {
    expect(bucketAt('s3://statistics/a/b', { ...KEYS, ...env })).toEqual({
      shown: 's3://statistics/a/b',
      url,
      from,
      prefix: 'a/b/',
      region,
      credentials: { accessKeyId: 'an-id', secretAccessKey: 'a-secret', sessionToken: '', cache: new Map() },
    })
  })

  test('has a name with dots in the path, because no certificate has it', () => {
    const bucket = bucketAt('s3://my.bucket', { ...KEYS, AWS_REGION: 'eu-west-1' })
    expect([bucket.url, bucket.prefix]).toEqual(['https://s3.eu-west-1.amazonaws.com/my.bucket', ''])
  })

  test('takes secrets from files, and leaves the variables as they are', () => {
    const file = join(temporaryFolder(), 'secret')
    writeFileSync(file, 'of-a-file\n')
    const env = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY_FILE: file, AWS_SESSION_TOKEN: 't', AWS_REGION: 'r' }
    expect(bucketAt('s3://statistics', env).credentials).toEqual({
      accessKeyId: 'x',
      secretAccessKey: 'of-a-file',
      sessionToken: 't',
      cache: new Map(),
    })
    expect(env.AWS_SECRET_ACCESS_KEY_FILE).toBe(file)
  })

  test.each([
    [{}, 'AWS_ACCESS_KEY_ID is not set'],
    [{ AWS_ACCESS_KEY_ID: 'x' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [KEYS, 'AWS_REGION is not set'],
    [{ ...KEYS, AWS_REGION: 'a b' }, 'AWS_REGION is not set, or no name of a region'],
    [{ ...KEYS, AWS_ENDPOINT_URL: 'ftp://s3cret@x' }, 'AWS_ENDPOINT_URL: not allowed'],
    [
      { ...KEYS, AWS_SECRET_ACCESS_KEY_FILE: '/x' },
      'AWS_SECRET_ACCESS_KEY and AWS_SECRET_ACCESS_KEY_FILE are both set',
    ],
    [{ ...KEYS, AWS_SESSION_TOKEN: 's3cret\na-secret' }, 'AWS_SESSION_TOKEN has a space, a line break'],
    [{ ...KEYS, AWS_ACCESS_KEY_ID: 's3cr\u00e9t' }, 'AWS_ACCESS_KEY_ID has a space, a line break or a letter beyond'],
  ])('says of %j what is missing, and no secret', (env, said) => {
    const bucket = () => bucketOf('s3://statistics', env)
    expect(bucket).toThrow(said)
    expect(bucket).not.toThrow(/a-secret|s3cret/)
  })
})

test('the variables of AWS may be in an --env-file', () => {
  const text = 'AWS_REGION=eu-central-1\nAWS_ACCESS_KEY_ID=x\nAWS_SECRET_ACCESS_KEY_FILE=/x\nANALYTICS_PUBLISH=s3://b\n'
  expect([...variablesOf('file', text).keys()]).toHaveLength(4)
})
