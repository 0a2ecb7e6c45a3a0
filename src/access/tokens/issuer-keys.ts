import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'

type KeySet = ReturnType<typeof createLocalJWKSet>

interface IssuerKeysOptions {
  /** Loads the key set of the issuer. */
  readonly load: () => Promise<JSONWebKeySet>
  readonly now: () => number
  /** Called when the keys cannot be loaded. Keys loaded earlier remain valid. */
  readonly onFault: (error: unknown) => void
}

/** Milliseconds. Minimum time between two loads; an unknown key id triggers one. */
const PAUSE_MS = 60_000
/** Milliseconds after which the keys are reloaded, so that keys withdrawn by the issuer stop being valid. */
const MOST_MS = 600_000
/** Milliseconds between attempts until the first load succeeds. Shorter because the issuer may be starting too. */
const FIRST_PAUSE_MS = 2_000

/** Cache of the public keys of an issuer. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions
  #keys: KeySet | undefined
  #loadedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #underway: Promise<void> | undefined

  constructor(options: IssuerKeysOptions) {
    this.#options = options
  }

  /** Returns the key that signed a token, with the signature jose expects. Rejects if no key matches. */
  async find(header: JWSHeaderParameters, token: FlattenedJWSInput): ReturnType<KeySet> {
    const isOld = this.#options.now() - this.#loadedAt > MOST_MS
    if (this.#keys === undefined || isOld) await this.#loadAgain()
    try {
      return await this.#search(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await this.#loadAgain()
      return this.#search(header, token)
    }
  }

  #search(header: JWSHeaderParameters, token: FlattenedJWSInput): ReturnType<KeySet> {
    if (this.#keys === undefined) throw new errors.JWKSNoMatchingKey()
    return this.#keys(header, token)
  }

  /** Concurrent calls share one load. */
  #loadAgain(): Promise<void> {
    const pause = this.#keys === undefined ? FIRST_PAUSE_MS : PAUSE_MS
    if (this.#underway === undefined && this.#options.now() - this.#triedAt < pause) return Promise.resolve()
    this.#underway ??= this.#load().finally(() => {
      this.#underway = undefined
    })
    return this.#underway
  }

  async #load(): Promise<void> {
    this.#triedAt = this.#options.now()
    try {
      this.#keys = createLocalJWKSet(await this.#options.load())
      this.#loadedAt = this.#triedAt
    } catch (error) {
      this.#options.onFault(error)
    }
  }
}
