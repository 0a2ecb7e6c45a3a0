import { createLocalJWKSet, errors, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from 'jose'

type KeySet = ReturnType<typeof createLocalJWKSet>

export interface IssuerKeysOptions {
  /** Reads the keys from where the issuer keeps them. */
  readonly load: () => Promise<JSONWebKeySet>
  readonly now: () => number
  /** Told that the keys could not be had; those known before still count. */
  readonly onFault: (error: unknown) => void
}

/** An unknown key id makes the keys be read again, but not more often. */
const PAUSE_MS = 60_000
/** Keys the issuer has withdrawn are forgotten after this time. */
const MOST_MS = 600_000
/** Until the first keys were had, it is tried more often: the issuer may be starting too. */
const FIRST_PAUSE_MS = 2_000

/** The public keys of an issuer, remembered and read again as needed. */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions
  #keys: KeySet | undefined
  #loadedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #underway: Promise<void> | undefined

  constructor(options: IssuerKeysOptions) {
    this.#options = options
  }

  /** The key a token is signed with; fails when there is none. In the form jose asks for it. */
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

  /** Requests that come meanwhile wait for the same answer. */
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
