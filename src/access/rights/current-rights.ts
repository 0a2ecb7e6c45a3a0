import type { Settings } from '../../config/settings.ts'
import type { Identity } from '../identity.ts'
import { keyFileOf } from '../keys/api-key-file.ts'
import { ApiKeys } from '../keys/api-keys.ts'
import { type PublicPaths, readPublicPaths } from '../public-paths.ts'
import { type CallerRights, textsOf } from './caller-rights.ts'
import { KnownRights } from './known-rights.ts'
import type { Writer } from './writer.ts'

interface CurrentRightsOptions {
  readonly settings: Settings
  readonly now: () => number
  /** Called with the reason when the key file or a permission is invalid. */
  readonly onFault: (message: string) => void
}

/** Current rights of callers who wrote something earlier, according to the settings and the current key file. */
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

  /** Reloads the key file if it has changed. Returns true if it has. */
  async refresh(): Promise<boolean> {
    return this.#modes.includes('apikey') && (await this.#keys.refresh())
  }

  /**
   * Returns the rights of a writer as of the last `refresh`. Undefined: the writer no longer has any. `unknown`: no
   * writer was recorded, or the server does not authenticate.
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
