import type { Inspire } from '../model/collection.ts'
import { canonicalWord, classifications, constraints, topicCategories } from './inspire-words.ts'
import { canonicalLanguage } from './language-codes.ts'
import { presentMembers } from './present-members.ts'

/** Fills in the defaults of INSPIRE metadata (spec 4.2). Enumerated words get the spelling of the code lists. */
export function completeInspire(given: Inspire, collection: { readonly name: string; readonly identifier: string }) {
  const uri = given.inspire_uri ?? {}
  const access = given.inspire_limitation_access ?? {}
  return presentMembers({
    keywords: given.keywords ?? [{ value: collection.name }],
    topic_categories: given.topic_categories?.map((word) => canonicalWord(topicCategories, word)),
    lineage: given.lineage,
    languages: given.languages?.map(canonicalLanguage) ?? ['eng'],
    spatial_resolution: given.spatial_resolution,
    inspire_uri: {
      code: uri.code ?? collection.identifier,
      namespace: uri.namespace ?? `PERIPLUS.${collection.name.toUpperCase()}`,
    },
    inspire_use_conditions: given.inspire_use_conditions ?? 'no conditions apply',
    inspire_limitation_access: {
      access_constraints: canonicalWord(constraints, access.access_constraints ?? 'otherRestrictions'),
      other_constraints: access.other_constraints ?? 'no limitations apply',
      classification: canonicalWord(classifications, access.classification ?? 'unclassified'),
    },
  })
}
