/** Code lists of INSPIRE metadata (ISO 19115). */

export const topicCategories = [
  'farming',
  'biota',
  'boundaries',
  'climatologyMeteorologyAtmosphere',
  'economy',
  'elevation',
  'environment',
  'geoscientificInformation',
  'health',
  'imageryBaseMapsEarthCover',
  'intelligenceMilitary',
  'inlandWaters',
  'location',
  'oceans',
  'planningCadastre',
  'society',
  'structure',
  'transportation',
  'utilitiesCommunication',
] as const

export const constraints = [
  'copyright',
  'patent',
  'patentPending',
  'trademark',
  'license',
  'intellectualPropertyRights',
  'restricted',
  'otherRestrictions',
] as const

export const classifications = ['unclassified', 'restricted', 'confidential', 'secret', 'topSecret'] as const

/** Returns the word in the spelling of the list, ignoring case (spec 1.3.5). Returns unknown words unchanged. */
export function canonicalWord(list: readonly string[], word: string): string {
  return list.find((known) => known.toLowerCase() === word.toLowerCase()) ?? word
}
