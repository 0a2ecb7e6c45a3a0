import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** In front of what was sealed, so that it is told from what was not, and from later forms. */
const SEALED = 'v1:'

/** Seals texts for the disk. What was sealed for one subscription cannot be opened for another. */
export interface SecretCipher {
  readonly isKeyed: boolean
  seal(subscriptionId: string, text: string): string
  /** Throws when it was sealed with another key, for another subscription, or changed. */
  open(subscriptionId: string, sealed: string): string
}

/** `key`: 32 bytes in base64 (`secrets.key`). Without one, texts are kept as they are. */
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
      if (bytes === undefined) throw new Error('secrets are encrypted, and secrets.key is not set')
      const content = Buffer.from(sealed.slice(SEALED.length), 'base64')
      const decipher = createDecipheriv(ALGORITHM, bytes, content.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(subscriptionId))
      decipher.setAuthTag(content.subarray(-TAG_BYTES))
      try {
        return decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new Error('a secret cannot be opened: it was encrypted with another secrets.key', { cause: error })
      }
    },
  }
}
