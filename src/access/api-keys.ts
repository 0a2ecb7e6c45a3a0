import { stat } from 'node:fs/promises'
import { type ApiKeyRecord, hasExpired, isSecretOf } from './api-key.ts'
import { KeyFileFault, readKeyFile } from './api-key-file.ts'
import type { Identity } from './identity.ts'

export interface ApiKeysOptions {
  readonly file: string
  readonly now: () => number
  /** Told what is wrong with the file; no key is valid then. */
  readonly onFault: (message: string) => void
}

/** The API keys of a file, read again whenever it has changed: a revoked key is refused at the next request. */
export class ApiKeys {
  readonly #options: ApiKeysOptions
  #state = ''
  #keys: ReadonlyMap<string, ApiKeyRecord> = new Map()

  constructor(options: ApiKeysOptions) {
    this.#options = options
  }

  /** The caller behind a key; undefined when it is unknown, wrong or past its time. */
  async identify(id: string, secret: string): Promise<Identity | undefined> {
    await this.refresh()
    return isSecretOf(secret, this.#keys.get(id)) ? this.holderOf(id) : undefined
  }

  /** Whose key it is, by the file as it was read last: for work that is done after a key was shown. */
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

  /** Reads the file when it has changed; answers whether it has. */
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

/** Changes with the file. */
async function stateOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    // Not there, or not to be read: the reader knows what to make of it.
    return 'absent'
  }
}
