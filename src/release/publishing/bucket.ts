// Owns what `s3://bucket/prefix` and the AWS_* variables say: where the objects are, and who asks for them, with the signature of
// each request. Sends nothing.
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { usageError } from '../../process/cli-error.ts'
import { readSecret } from '../../process/env-file.ts'
import { allowedValue, httpUrl, type Parsed } from '../../process/value-syntax.ts'

export type HeaderFields = Readonly<Record<string, string>>

export interface S3Bucket {
  /** As it was given: `s3://bucket/prefix`. */
  readonly shown: string
  /** The address of the bucket, without a slash at its end. */
  readonly url: string
  /** The variable that says where the store is. */
  readonly from: string
  /** '' or `prefix/`. */
  readonly prefix: string
  readonly region: string
  readonly credentials: Readonly<ReturnType<typeof credentialsOf>>
}

/** The whole address, because another store may have a bucket of this name. */
export const addressOf = ({ url, prefix }: Pick<S3Bucket, 'url' | 'prefix'>): string => `${url}/${prefix}`

/** The folders of a site may be no prefix: a site in such a folder of another one would have keys in common with it. */
const OF_A_SITE = '(?:[a-z]{2}|analytics|assets|badges|category|charts|docs|embed|feeds|period|public|search|snapshots)'
/** Names that need no escape, so that they are the same in an address, a signature and a listing. */
const ADDRESS = new RegExp(`^s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/(?!${OF_A_SITE}(?:/|$))[\\w-][\\w.-]*)*)/?$`)
const ALLOWED =
  's3://bucket or s3://bucket/prefix, the bucket of 3 to 63 lower-case letters, digits, "." and "-", the prefix also of "A" to "Z" and "_", no part of it two letters (a language) or a folder of a site (docs, period, snapshots and such)'
/** All that `bucketOf` reads. */
export const BUCKET_VARIABLE: RegExp =
  /^AWS_(?:ENDPOINT_URL(?:_S3)?|(?:DEFAULT_)?REGION|(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)(?:_FILE)?)$/
const ENDPOINTS = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] as const
const SECRETS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const

/** @throws CliError that names the variable, never its value */
export function bucketOf(address: string, env: Readonly<NodeJS.ProcessEnv> = process.env): Parsed<S3Bucket> {
  const [, bucket, path = ''] = ADDRESS.exec(address) ?? []
  if (bucket === undefined) return { allowed: ALLOWED }
  const credentials = credentialsOf(address, { ...env })
  const said = (name: string): string => env[name] ?? ''
  const from = ENDPOINTS.find(said)
  const endpoint =
    from &&
    allowedValue(from, said(from), httpUrl('https://s3.example.org or http://minio:9000'), ', without user, ? or #')
  // A store that is not of AWS takes any, as a rule.
  const region = said('AWS_REGION') || said('AWS_DEFAULT_REGION') || (endpoint ? 'us-east-1' : '')
  if (!/^[\w-]+$/.test(region))
    throw usageError('AWS_REGION is not set, or no name of a region; allowed: a name such as eu-central-1')
  return {
    value: {
      shown: address.replace(/\/$/, ''),
      url: urlOf(bucket, region, endpoint),
      from: from ?? 'AWS_REGION',
      prefix: `${path}/`.slice(1),
      region,
      credentials,
    },
  }
}

/** The token may be ''. `cache` has the keys of signatures, which all requests of a day share. */
function credentialsOf(address: string, own: NodeJS.ProcessEnv) {
  const [accessKeyId = '', secretAccessKey = '', sessionToken = ''] = SECRETS.map((name) => {
    readSecret(own, name)
    const value = own[name] ?? ''
    if (!value && name !== 'AWS_SESSION_TOKEN')
      throw usageError(`${address}: ${name} is not set; set it, or name a file with it in ${name}_FILE`)
    // An error about a header would show what is in it.
    if (/[^!-~]/.test(value))
      throw usageError(`${name} has a space, a line break or a letter beyond ASCII; give it as one line`)
    return value
  })
  return { accessKeyId, secretAccessKey, sessionToken, cache: new Map<string, ArrayBuffer>() }
}

/** A name with a dot is not in the certificate of the names with one label before the service. */
function urlOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) return `${endpoint}/${bucket}`
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

/** The headers with a signature. Only what must be is signed, so that a proxy on the way may change the rest. */
export async function signedHeaders(
  { region, credentials }: S3Bucket,
  method: string,
  url: string,
  given: HeaderFields = {},
  sha256: string = createHash('sha256').digest('hex'),
): Promise<HeaderFields> {
  const own = Object.entries(given).filter(([name]) => name.startsWith('x-amz-'))
  const headers = { ...Object.fromEntries(own), 'x-amz-content-sha256': sha256 }
  const signed = await new AwsV4Signer({ method, url, headers, service: 's3', region, ...credentials }).sign()
  return { ...given, ...Object.fromEntries(signed.headers.entries()) }
}
