import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Prefix of encrypted texts. Distinguishes them from plain texts and from later formats. */
const SEALED = 'v1:'

/** Encrypts texts at rest. A text encrypted for one subscription cannot be decrypted for another. */
export interface SecretCipher {
  readonly isKeyed: boolean
  seal(subscriptionId: string, text: string): string
  /** Throws if it was encrypted with another key or for another subscription, or was modified. */
  open(subscriptionId: string, sealed: string): string
}

/** `key`: 32 bytes in base64 (`secrets.key`). Without a key, texts are stored unencrypted. */
export function createSecretCipher(key: string | undefined): SecretCipher {
  const bytes = key === undefined ? undefined : Buffer.from(key, 'base64')
  return {
    isKeyed: bytes !== undefined,
    seal(subscriptionId, text) {
      if (bytes === undefined) return text
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, bytes, nonce)
      cipher.setAAD(Buffer.from(subscriptionId))
      const content = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return SEALED + content.toString('base64')
    },
    open(subscriptionId, sealed) {
      if (!sealed.startsWith(SEALED)) return sealed
      if (bytes === undefined) throw new Error('secrets are encrypted, but secrets.key is not set')
      const content = Buffer.from(sealed.slice(SEALED.length), 'base64')
      const decipher = createDecipheriv(ALGORITHM, bytes, content.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(subscriptionId))
      decipher.setAuthTag(content.subarray(-TAG_BYTES))
      try {
        return decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new Error('a secret cannot be decrypted: it was encrypted with another secrets.key', { cause: error })
      }
    },
  }
}
