import type { AccessTexts } from './access-texts.ts'
import type { CallerHeaders } from './caller-rights.ts'
import type { Identity } from './identity.ts'

/**
 * Who wrote something that acts for them later, so that it can be asked then what they may still do. The rights of a key
 * are those the file of keys says; those of others are as in their last request.
 */
export interface Writer {
  readonly mode: Identity['mode']
  readonly user?: string
  readonly key?: string
  /** Of a key they are not kept, and so are permissions and organisations. */
  readonly roles?: readonly string[]
  readonly permissions?: readonly string[]
  readonly organisations?: readonly string[]
  /** The three headers, of a proxy that is believed. */
  readonly sent?: AccessTexts
  /** `arlas-org-filter` of the request that wrote. */
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

/** What a later request of the same caller says of its rights; what was narrowed at the writing stays so. */
export const withRightsOf = ({ within }: Writer, { within: _within, ...later }: Writer): Writer => ({
  ...later,
  ...(within === undefined ? {} : { within }),
})
