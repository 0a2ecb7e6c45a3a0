import type { CollectionOrganisations } from '../model/collection.ts'
import type { Access } from '../query/access/access.ts'

/** True if the caller may read a collection (spec 9.3). */
export function mayRead(organisations: CollectionOrganisations | undefined, access: Access): boolean {
  if (organisations?.public === true) return true
  if (access.publicOnly === true) return false
  if (access.organisations === undefined) return true
  const { owner, shared = [] } = organisations ?? {}
  return access.organisations.some((one) => one === owner || shared.includes(one))
}

/** True if the caller may create or change a collection. Only its owner may. */
export function mayWrite(organisations: CollectionOrganisations | undefined, access: Access): boolean {
  if (access.publicOnly === true) return false
  if (access.organisations === undefined) return true
  const owner = organisations?.owner
  return owner !== undefined && access.organisations.includes(owner)
}
