import type { Settings } from '../config/settings.ts'
import { keyFileOf } from './api-key-file.ts'
import { ApiKeys } from './api-keys.ts'
import { type CallerRights, textsOf } from './caller-rights.ts'
import type { Identity } from './identity.ts'
import { KnownRights } from './known-rights.ts'
import { type PublicPaths, readPublicPaths } from './public-paths.ts'
import type { Writer } from './writer.ts'

export interface CurrentRightsOptions {
  readonly settings: Settings
  readonly now: () => number
  /** Told what is wrong with the file of keys, or with a permission. */
  readonly onFault: (message: string) => void
}

/** What those may do now who wrote something earlier: by the settings, and by the file of keys as it is. */
export class CurrentRights {
  readonly #modes: Settings['auth']['modes']
  readonly #known: KnownRights
  readonly #keys: ApiKeys
  readonly #isPublic: PublicPaths

  constructor({ settings, now, onFault }: CurrentRightsOptions) {
    this.#modes = settings.auth.modes
    this.#known = new KnownRights(settings.auth, onFault)
    this.#keys = new ApiKeys({ file: keyFileOf(settings), now, onFault })
    this.#isPublic = readPublicPaths(settings.auth.publicPaths)
  }

  /** Reads what may have changed; answers whether it has. */
  async refresh(): Promise<boolean> {
    return this.#modes.includes('apikey') && (await this.#keys.refresh())
  }

  /**
   * Undefined: none. `unknown`: nothing is known of the writer, or nobody is asked who they are. As of the last
   * `refresh`.
   */
  of(writer: Writer | undefined): CallerRights | 'unknown' | undefined {
    if (writer === undefined || this.#modes.includes('none')) return 'unknown'
    if (!this.#modes.includes(writer.mode)) return undefined
    const identity = this.#identityOf(writer)
    if (identity === undefined) return undefined
    const held = this.#known.of(identity)
    return {
      allows: (method, path) => this.#isPublic(method, path) || held.allows(method, path),
      texts: textsOf(identity, held, writer),
    }
  }

  #identityOf({ mode, user, key, roles = [], permissions = [], organisations }: Writer): Identity | undefined {
    if (mode === 'apikey') return key === undefined ? undefined : this.#keys.holderOf(key)
    return {
      mode,
      roles,
      permissions,
      ...(user === undefined ? {} : { user }),
      ...(organisations === undefined ? {} : { organisations }),
    }
  }
}
