/** The caller, according to its verified credentials. */
export interface Identity {
  readonly mode: 'header' | 'apikey' | 'jwt'
  /** Absent: the token does not name a user. */
  readonly user?: string
  /** Id of the API key. */
  readonly key?: string
  readonly roles: readonly string[]
  readonly permissions: readonly string[]
  /** Absent: organisations are not checked for this caller. */
  readonly organisations?: readonly string[]
}

/** Name of a caller in the log. */
export const nameOf = ({ user, key }: Identity): string => user ?? key ?? 'unnamed'
