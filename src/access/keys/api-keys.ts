import { stat } from 'node:fs/promises'
import type { Identity } from '../identity.ts'
import { type ApiKeyRecord, hasExpired, isSecretOf } from './api-key.ts'
import { KeyFileFault, readKeyFile } from './api-key-file.ts'

interface ApiKeysOptions {
  readonly file: string
  readonly now: () => number
  /** Called with the reason when the file cannot be used. No key is valid then. */
  readonly onFault: (message: string) => void
}

/** API keys of a file. Reloads the file when it changes, so a revoked key is refused at the next request. */
export class ApiKeys {
  readonly #options: ApiKeysOptions
  #state = ''
  #keys: ReadonlyMap<string, ApiKeyRecord> = new Map()

  constructor(options: ApiKeysOptions) {
    this.#options = options
  }

  /** Returns the caller behind a key, undefined if the key is unknown, wrong or expired. */
  async identify(id: string, secret: string): Promise<Identity | undefined> {
    await this.refresh()
    return isSecretOf(secret, this.#keys.get(id)) ? this.holderOf(id) : undefined
  }

  /**
   * Returns the caller that owns a key id, as of the last read of the file. For work done after the key was verified.
   */
  holderOf(id: string): Identity | undefined {
    const record = this.#keys.get(id)
    if (record === undefined || hasExpired(record, this.#options.now())) return undefined
    const { user, roles, permissions, organisations } = record
    return {
      mode: 'apikey',
      user,
      key: id,
      roles,
      permissions,
      ...(organisations === undefined ? {} : { organisations }),
    }
  }

  /** Reloads the file if it has changed. Returns true if it has. */
  async refresh(): Promise<boolean> {
    const state = await stateOf(this.#options.file)
    if (state === this.#state) return false
    this.#state = state
    this.#keys = this.#read()
    return true
  }

  #read(): ReadonlyMap<string, ApiKeyRecord> {
    try {
      return new Map(readKeyFile(this.#options.file).map((record) => [record.id, record]))
    } catch (error) {
      if (!(error instanceof KeyFileFault)) throw error
      this.#options.onFault(error.message)
      return new Map()
    }
  }
}

/** Returns a value that changes whenever the file changes. */
async function stateOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    // Missing or not accessible: `readKeyFile` handles both.
    return 'absent'
  }
}
