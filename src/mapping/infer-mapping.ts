import type { JsonObject } from '../model/json/document.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'
import { coverDates, ISO } from './date-shapes.ts'
import { namesShape, namesTime } from './field-names.ts'
import { type Observed, observeMembers, observeNothing } from './observed-values.ts'

const LONGEST_KEYWORD = 256
const MOST_KEYWORD_WORDS = 5

/**
 * Infers the mapping from a sample of documents. If values differ, the type widens to one that holds them all (long to
 * double, mixed types to keyword); fields without a value in the sample are left out. Only the first `mostFields`
 * fields are used.
 */
export function inferMapping(sample: readonly JsonObject[], mostFields = Number.POSITIVE_INFINITY): Mapping {
  const observed = observeNothing()
  const budget = { left: mostFields }
  for (const document of sample) observeMembers(observed, document, budget)
  return { properties: inferProperties(observed) }
}

function inferProperties(observed: Observed): Readonly<Record<string, MappingField>> {
  const fields: [string, MappingField][] = []
  for (const [name, member] of observed.members) {
    const field = inferField(name, member)
    if (field !== undefined) fields.push([name, field])
  }
  return Object.fromEntries(fields)
}

function inferField(name: string, seen: Observed): MappingField | undefined {
  if (seen.values === 0) return undefined
  // A field is either an object or a value: the majority decides, the other documents are rejected on write.
  if (seen.objects > 0 && seen.objects * 2 >= seen.values) return { type: 'object', properties: inferProperties(seen) }
  const values = seen.values - seen.objects
  if (seen.points + seen.shapes + seen.pointTexts === values) {
    return { type: seen.shapes > 0 || namesShape(name) ? 'geo_shape' : 'geo_point' }
  }
  const numbers = seen.integers + seen.fractions
  if (seen.booleans === values) return { type: 'boolean' }
  if (numbers === values) return inferNumber(name, seen)
  if (seen.texts + (namesTime(name) ? numbers : 0) === values) {
    const format = inferDateFormat(seen, numbers > 0)
    if (format !== undefined) return format === ISO ? { type: 'date' } : { type: 'date', format }
  }
  return { type: readsAsText(seen) ? 'text' : 'keyword' }
}

/** Numbers in a field named like a time are dates if all lie between 1973 and 2100, in ms or in seconds. */
function inferNumber(name: string, seen: Observed): MappingField {
  const epoch = epochFormat(seen)
  if (namesTime(name) && epoch !== undefined) return { type: 'date', format: epoch }
  return { type: seen.fractions > 0 ? 'double' : 'long' }
}

function epochFormat(seen: Observed): string | undefined {
  if (seen.smallest >= 1e11 && seen.largest < 4.2e12) return 'epoch_millis'
  if (seen.smallest >= 1e8 && seen.largest < 4.2e9) return 'epoch_second'
  return undefined
}

function inferDateFormat(seen: Observed, alsoNumbers: boolean): string | undefined {
  const texts = coverDates(seen.dateShapes)
  if (texts === undefined || !alsoNumbers) return texts
  const epoch = seen.fractions > 0 ? undefined : epochFormat(seen)
  return epoch === undefined ? undefined : `${texts}||${epoch}`
}

/** True for long texts and sentences, searched by word; codes, names and repeated labels are compared as a whole. */
function readsAsText(seen: Observed): boolean {
  if (seen.longestText > LONGEST_KEYWORD) return true
  const repeated = seen.texts >= 100 && seen.distinctTexts.size <= seen.texts / 20
  return !repeated && seen.textWords > MOST_KEYWORD_WORDS * seen.texts
}
