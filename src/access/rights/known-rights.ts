import { LRUCache } from 'lru-cache'
import { SettingsFault } from '../../config/setting-value.ts'
import type { AuthSettings } from '../../config/settings.ts'
import type { Identity } from '../identity.ts'
import { type Rights, rightsOf } from './rights.ts'
import { PUBLIC_ROLE, permissionsOfRoles } from './roles.ts'

/** Number of parsed permission lists to cache. Few callers send most requests. The least recently used are evicted. */
const MOST_KEPT = 1_000

/** Rights of callers, derived from their roles and permissions. */
export class KnownRights {
  readonly #settings: AuthSettings
  readonly #onFault: (message: string) => void
  readonly #kept = new LRUCache<string, Rights>({ max: MOST_KEPT })

  /** Throws SettingsFault if a configured permission is invalid. */
  constructor(settings: AuthSettings, onFault: (message: string) => void) {
    this.#settings = settings
    this.#onFault = onFault
    for (const [role, permissions] of Object.entries(settings.roles)) checkRole(role, permissions)
  }

  /** Callers without a role get `auth.defaultRoles`. */
  of({ roles, permissions }: Pick<Identity, 'roles' | 'permissions'>): Rights {
    const held = roles.length === 0 ? this.#settings.defaultRoles : roles
    return this.#read([...permissionsOfRoles(held, this.#settings.roles), ...permissions])
  }

  /** Rights of unauthenticated callers on public paths. */
  ofAnonymous(): Rights {
    return this.#read(permissionsOfRoles([PUBLIC_ROLE], this.#settings.roles))
  }

  #read(permissions: readonly string[]): Rights {
    const key = JSON.stringify(permissions)
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const rights = rightsOf(permissions)
    for (const fault of rights.faults) this.#onFault(fault)
    this.#kept.set(key, rights)
    return rights
  }
}

/**
 * Validates a configured role. Variables are assumed to be set, since other permissions of the caller may define them.
 */
function checkRole(role: string, permissions: readonly string[]): void {
  const named = permissions.flatMap((text) => [...text.matchAll(/\$\{([^{}]*)\}/g)].map(([, name]) => name))
  const assumed = named.map((name) => `variable:${name}:x`)
  const [fault] = rightsOf([...assumed, ...permissions]).faults
  if (fault !== undefined) throw new SettingsFault(`auth.roles, role ${role}: ${fault}`)
}
