// Seals a file with the secret KEPT_KEY so that nobody else can read it, change it, or pass it off under another name, and opens
// it again: AES-256-GCM, with a key that scrypt derives. Needs Node.js and no package.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const [SALT, IV, TAG] = [16, 12, 16]
const [, , verb, name, from, to] = process.argv
const secret = process.env.KEPT_KEY ?? ''

function fail(why) {
  process.stderr.write(`seal: ${why}\n`)
  process.exit(1)
}

if (secret.length < 32) fail('KEPT_KEY is to have 32 characters or more, as `openssl rand -hex 32` prints')
const bytes = readFileSync(from)
const head = verb === 'seal' ? randomBytes(SALT + IV) : bytes.subarray(0, SALT + IV)
const key = scryptSync(secret, head.subarray(0, SALT), 32)
const using = [`aes-256-gcm`, key, head.subarray(SALT), { authTagLength: TAG }]
if (verb === 'seal') {
  const cipher = createCipheriv(...using).setAAD(Buffer.from(name))
  const sealed = [cipher.update(bytes), cipher.final()]
  writeFileSync(to, Buffer.concat([head, cipher.getAuthTag(), ...sealed]), { mode: 0o600 })
} else {
  try {
    const decipher = createDecipheriv(...using).setAAD(Buffer.from(name))
    decipher.setAuthTag(bytes.subarray(SALT + IV, SALT + IV + TAG))
    const opened = [decipher.update(bytes.subarray(SALT + IV + TAG)), decipher.final()]
    writeFileSync(to, Buffer.concat(opened), { mode: 0o600 })
  } catch {
    fail(
      `${name} was changed, is cut off, is of another name, or was sealed with another KEPT_KEY: nothing of it is used`,
    )
  }
}
