import { problem } from '../../errors.ts'
import type { CollectionReferenceParameters, Inspire } from '../../model/collection.ts'
import { canonicalWord, classifications, constraints, topicCategories } from './inspire-words.ts'
import { inspireLanguages, isLanguageCode } from './language-codes.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Requires the content an INSPIRE catalogue needs (spec 4.2). Used if the setting inspire.required is on. */
export function requireInspire({ inspire, dublin_core_element_name: core }: CollectionReferenceParameters): void {
  const needed = {
    'inspire.lineage': inspire?.lineage,
    'inspire.topic_categories': inspire?.topic_categories?.join(''),
    'dublin_core_element_name.title': core?.title,
    'dublin_core_element_name.description': core?.description,
    'dublin_core_element_name.language': core?.language,
  }
  for (const [key, value] of Object.entries(needed)) {
    if (value === undefined || value.trim() === '') refuse(key, undefined, 'is required')
  }
  checkWord('dublin_core_element_name.language', core?.language, inspireLanguages)
}

/** Validates the members that are present (spec 4.2). */
export function checkInspire(inspire: Inspire): void {
  for (const [i, word] of (inspire.topic_categories ?? []).entries()) {
    checkWord(`inspire.topic_categories[${i}]`, word, topicCategories)
  }
  const access = inspire.inspire_limitation_access
  checkWord('inspire.inspire_limitation_access.access_constraints', access?.access_constraints, constraints)
  checkWord('inspire.inspire_limitation_access.classification', access?.classification, classifications)
  for (const [i, code] of (inspire.languages ?? []).entries()) {
    if (!isLanguageCode(code)) refuse(`inspire.languages[${i}]`, code, 'must be an ISO 639-2 language code')
  }
  checkKeywords(inspire.keywords ?? [])
  checkResolution(inspire.spatial_resolution)
}

function checkKeywords(keywords: NonNullable<Inspire['keywords']>): void {
  for (const [i, { value, date_of_publication: date }] of keywords.entries()) {
    if (value === undefined || value.trim() === '') refuse(`inspire.keywords[${i}].value`, value, 'is required')
    if (date !== undefined && !isDay(date)) {
      refuse(`inspire.keywords[${i}].date_of_publication`, date, 'must be a date in the format yyyy-MM-dd')
    }
  }
}

function checkResolution(resolution: Inspire['spatial_resolution']): void {
  if (resolution === undefined) return
  const { value, unit_of_measure: unit } = resolution
  if (value === undefined) refuse('inspire.spatial_resolution.value', undefined, 'is required')
  // Larger values lose digits in a double.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    const reason = `must be a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`
    refuse('inspire.spatial_resolution.value', value, reason)
  }
  if (!Number.isInteger(value) && (unit === undefined || unit.trim() === '')) {
    const reason = `is required, because the value ${value} is not an integer`
    refuse('inspire.spatial_resolution.unit_of_measure', unit, reason)
  }
}

function checkWord(key: string, word: string | undefined, list: readonly string[]): void {
  if (word !== undefined && !list.includes(canonicalWord(list, word)))
    refuse(key, word, `must be one of ${list.join(', ')}`)
}

/** True for a valid calendar date. False for example for 30 February. */
function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function refuse(parameter: string, value: unknown, reason: string): never {
  throw problem('INVALID_COLLECTION', { parameter, reason, ...(value === undefined ? {} : { value }) })
}
