import { problem } from '../errors.ts'
import { checkBody } from '../model/check-body.ts'
import { OrganisationsUpdate } from '../model/collection.ts'

/**
 * Reads the body of PATCH organisations. Also accepts the members wrapped in `organisations`, which one command-line
 * client sends.
 */
export function readOrganisationsUpdate(body: unknown): OrganisationsUpdate {
  if (!isWrapped(body)) return checkUpdate(body)
  const other = Object.keys(body).find((key) => key !== 'organisations')
  if (other !== undefined) throw problem('INVALID_BODY', { parameter: other, reason: 'is not a known key' })
  return checkUpdate(body.organisations, 'organisations')
}

function isWrapped(body: unknown): body is { readonly organisations: unknown } {
  return typeof body === 'object' && body !== null && 'organisations' in body && body.organisations !== null
}

function checkUpdate(value: unknown, root?: string): OrganisationsUpdate {
  return checkBody(OrganisationsUpdate, value, root === undefined ? {} : { root })
}
