/** Who calls, as far as their credentials were believed. */
export interface Identity {
  readonly mode: 'header' | 'apikey' | 'jwt'
  /** Absent: a token that names nobody. */
  readonly user?: string
  /** Id of the API key. */
  readonly key?: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  /** Absent: organisations are not looked at for this caller. */
  readonly organisations?: readonly string[]
}

/** How the log names a caller. */
export const nameOf = ({ user, key }: Identity): string => user ?? key ?? 'unnamed'
