import type { AccessTexts } from '../access-texts.ts'
import type { Identity } from '../identity.ts'
import type { CallerHeaders } from './caller-rights.ts'

/**
 * The author of something that acts on their behalf later. Stored so that their current rights can be checked then.
 * Rights of an API key come from the key file; rights of other callers are those of their last request.
 */
export interface Writer {
  readonly mode: Identity['mode']
  readonly user?: string
  readonly key?: string
  /** Roles, permissions and organisations are not stored for an API key. */
  readonly roles?: readonly string[]
  readonly permissions?: readonly string[]
  readonly organisations?: readonly string[]
  /** The three access headers set by a trusted proxy. */
  readonly sent?: AccessTexts
  /** `arlas-org-filter` of the original request. */
  readonly within?: string
}

export function writerOf(identity: Identity, { sent, within }: CallerHeaders): Writer {
  const { mode, user, key, roles, permissions, organisations } = identity
  return {
    mode,
    ...(user === undefined ? {} : { user }),
    ...(key === undefined
      ? { roles, permissions, ...(organisations === undefined ? {} : { organisations }) }
      : { key }),
    ...(sent === undefined ? {} : { sent }),
    ...(within === undefined ? {} : { within }),
  }
}

/** Returns the rights of a later request of the same caller, with the `arlas-org-filter` of the original request. */
export const withRightsOf = ({ within }: Writer, { within: _within, ...later }: Writer): Writer => ({
  ...later,
  ...(within === undefined ? {} : { within }),
})
