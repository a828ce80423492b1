// Certificates for a test, signed by an authority made for the test: good ones, and each kind of bad one. Made by openssl.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificate {
  readonly certificate: string
  readonly key: string
}

export interface Authority extends Certificate {
  /** @param names as in subjectAltName, such as `DNS:localhost,IP:127.0.0.1`; @param days negative = it has expired */
  sign(name: string, names: string, days?: number): Certificate
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' })
}

/** @param folder where all files are made; goes with the test */
export function createAuthority(folder: string, name: string): Authority {
  const at = (file: string): string => join(folder, `${name}-${file}`)
  const own = { certificate: at('ca.crt'), key: at('ca.key') }
  openssl('req', '-x509', ...NEW_KEY, '-keyout', own.key, '-out', own.certificate, '-days', '2', '-subj', `/CN=${name}`)
  return {
    ...own,
    sign(subject, names, days = 2) {
      const [certificate, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((end) => at(`${subject}.${end}`))
      if (certificate === undefined || key === undefined || request === undefined || extensions === undefined)
        throw new Error('four files were named')
      openssl('req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${subject}`)
      writeFileSync(extensions, `subjectAltName=${names}\n`)
      const by = ['-CA', own.certificate, '-CAkey', own.key, '-CAcreateserial', '-extfile', extensions]
      openssl('x509', '-req', '-in', request, ...by, '-days', String(days), '-out', certificate)
      return { certificate, key }
    },
  }
}
