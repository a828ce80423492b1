// Owns what `s3://bucket/prefix` and the AWS_* variables say: where the objects are, and who asks for them. Sends nothing.
import { usageError } from '../../process/cli-error.ts'
import { readSecret, type Variables } from '../../process/env-file.ts'
import { twinOf } from '../../process/variables.ts'
import { allowedValue, httpUrl, type Parse } from '../../process/value-syntax.ts'

export interface Bucket {
  /** As it was given: `s3://bucket/prefix`. */
  readonly shown: string
  /** The address of the bucket, without a slash at its end. */
  readonly url: string
  /** '' or `prefix/`. */
  readonly prefix: string
  readonly region: string
  readonly credentials: Readonly<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>
}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-][\w.-]*)*)\/?$/

/** Names that need no escape, so that they are the same in an address, a signature and a listing. */
export const s3Address: Parse<string> = (given) =>
  ADDRESS.test(given)
    ? { value: given.replace(/\/$/, '') }
    : {
        allowed:
          's3://bucket or s3://bucket/prefix, the bucket of lower-case letters, digits, "." and "-", the prefix also of "A" to "Z" and "_"',
      }

const ENDPOINTS = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] as const
const SECRETS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const
/** All that `bucketOf` reads. */
export const BUCKET_VARIABLES: readonly string[] = [
  ...ENDPOINTS,
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  ...SECRETS.flatMap((name) => [name, twinOf(name)]),
]

/**
 * @param address one that `s3Address` takes
 * @throws CliError that names the variable, never its value
 */
export function bucketOf(address: string, env: Readonly<Variables>): Bucket {
  const [, bucket = '', path = ''] = ADDRESS.exec(address) ?? []
  const own: Variables = { ...env }
  for (const name of SECRETS) readSecret(own, name)
  const [accessKeyId, secretAccessKey, sessionToken] = SECRETS.map((name) => own[name] ?? '')
  if (!accessKeyId || !secretAccessKey)
    throw usageError(
      `${address}: ${accessKeyId ? SECRETS[1] : SECRETS[0]} is not set; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name files with them in AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE`,
    )
  const endpoint = endpointOf(own)
  // A store that is not of AWS takes any, as a rule.
  const region = own['AWS_REGION'] || own['AWS_DEFAULT_REGION'] || (endpoint === null ? '' : 'us-east-1')
  if (!/^[\w-]+$/.test(region))
    throw usageError('AWS_REGION is not set, or no name of a region; allowed: a name such as eu-central-1')
  return {
    shown: address,
    url: endpoint === null ? urlAtAws(bucket, region) : `${endpoint}/${bucket}`,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
  }
}

/** A name with a dot is not in the certificate of the names with one label before the service. */
function urlAtAws(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function endpointOf(env: Readonly<Variables>): string | null {
  const name = ENDPOINTS.find((one) => env[one])
  return name === undefined ? null : allowedValue(name, env[name] ?? '', httpUrl(), ', without user, ? or #')
}
