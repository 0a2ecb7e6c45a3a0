import type { JsonObject } from '../../../model/json/document.ts'
import { withExactIntegers } from '../../../model/json/exact-json.ts'
import { compileEvaluator } from '../../../query/evaluate/predicate-evaluator.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import { indexFields } from '../../../query/schema/index-fields.ts'
import type { FoundDocument } from '../../engine.ts'
import { identifyingMember } from '../condition/located-rows.ts'
import { fetchDocuments } from '../index/found-documents.ts'
import type { IndexTable } from '../index/index-table.ts'

/** The document an identifier belongs to. Empty if no document matches. */
interface Identified {
  readonly document?: FoundDocument
  /** Rank of its identifier. */
  readonly rank?: number
}

/** Returns the document of a predicate that requires an identifier, in the tables of a query. */
export type Identify = (predicate: Predicate) => Promise<Identified | undefined>

/**
 * Returns the only document that can match a predicate that requires an identifier. The identifier file has the extent
 * of its source, and the source decides whether it matches. Undefined if that is not possible; then a search is needed.
 */
export async function findIdentified(
  [table, ...others]: readonly IndexTable[],
  predicate: Predicate,
): Promise<Identified | undefined> {
  if (!table?.tellsPlaces || others.length > 0) return undefined
  const { member } = identifyingMember(predicate, table) ?? {}
  const section = member && table.identifiers?.section(member.field.path)
  if (!member || !section || member.values.length !== 1) return undefined
  const evaluator = compileEvaluator(predicate, indexFields(table.definition.mapping))
  if (!evaluator.exact) return undefined
  const found = await table.identifiers?.find(section, String(member.values[0]))
  if (!found?.place) return found && {}
  const [document] = await fetchDocuments([{ ...found.place, table }])
  if (!document || !evaluator.holds(exactSource(document))) return {}
  return { document, rank: found.place.rank }
}

const exactSource = ({ source, text }: FoundDocument): JsonObject =>
  text === undefined ? source : withExactIntegers(text)
