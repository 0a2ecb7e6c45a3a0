import { errors, jwtVerify } from 'jose'
import type { AuthSettings } from '../../config/settings.ts'
import type { Identity } from '../identity.ts'
import { loadIssuerKeys } from './issuer-address.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { identityOfClaims } from './token-claims.ts'

/** Seconds by which clocks of different machines may differ. */
const CLOCK_TOLERANCE = 60

export interface TokensOptions {
  readonly settings: AuthSettings['jwt']
  readonly now: () => number
  readonly onFault: (error: unknown) => void
}

/** Verifies the tokens of one issuer (spec 9.5). */
export class Tokens {
  readonly #settings: AuthSettings['jwt']
  readonly #now: () => number
  readonly #keys: IssuerKeys
  readonly #onFault: (error: unknown) => void

  constructor({ settings, now, onFault }: TokensOptions) {
    this.#settings = settings
    this.#now = now
    this.#onFault = onFault
    this.#keys = new IssuerKeys({ load: () => loadIssuerKeys(settings), now, onFault })
  }

  /** Returns the caller described by a token, undefined if the token is invalid. */
  async identify(token: string): Promise<Identity | undefined> {
    const { issuer, audience, algorithms } = this.#settings
    if (issuer === undefined || audience === undefined) return undefined
    try {
      const { payload } = await jwtVerify(token, (header, input) => this.#keys.find(header, input), {
        issuer,
        audience,
        algorithms: [...algorithms],
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(this.#now()),
      })
      return identityOfClaims(payload, this.#settings)
    } catch (error) {
      // The keys could not be used. An invalid token throws a JOSEError.
      if (!(error instanceof errors.JOSEError)) this.#onFault(error)
      return undefined
    }
  }
}
