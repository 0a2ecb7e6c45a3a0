import type { DuckDBValue } from '@duckdb/node-api'
import type { JsonObject } from '../../model/document.ts'
import { withExactIntegers } from '../../model/exact-json.ts'
import { indexFields } from '../../query/index-fields.ts'
import type { Predicate } from '../../query/predicate.ts'
import { compileEvaluator } from '../../query/predicate-evaluator.ts'
import type { FoundDocument } from '../engine.ts'
import type { Database } from './database.ts'
import { fetchDocuments, toPlace } from './found-documents.ts'
import type { IndexTable } from './index-table.ts'
import { compileLookup, identifyingMember } from './located-rows.ts'
import type { Reader } from './reader.ts'
import { withSql } from './snapshot.ts'

/** What an identifier stands for. */
export interface Identified {
  /** None when nothing matches. */
  readonly document?: FoundDocument
  /** Of its identifier among all, where it has one. */
  readonly rank: DuckDBValue
}

/** Tells what a predicate that demands an identifier stands for, in the tables of a query. */
export type Identify = (predicate: Predicate) => Promise<Identified | undefined>

/**
 * The only document that can match a predicate which demands an identifier: the lookup table alone tells where its source
 * lies, and the source whether it matches. Undefined where that cannot be told so; then it must be searched for.
 */
export async function findIdentified(
  database: Database,
  reader: Reader,
  [table, ...others]: readonly IndexTable[],
  predicate: Predicate,
): Promise<Identified | undefined> {
  if (!table?.tellsPlaces || others.length > 0) return undefined
  const demand = identifyingMember(predicate, table)
  if (demand?.member.values.length !== 1) return undefined
  const evaluator = compileEvaluator(predicate, indexFields(table.definition.mapping))
  if (!evaluator.exact) return undefined
  const rows = await withSql(database, (sql) =>
    reader.rows(compileLookup(['_at', '_size', 'rank'], demand, table, 2, sql), sql.values),
  )
  if (rows.length > 1) return undefined
  const [row] = rows
  if (!row) return { rank: null }
  const [document] = await fetchDocuments([toPlace(table, row[0], row[1])])
  if (!document || !evaluator.holds(exactSource(document))) return { rank: null }
  return { document, rank: row[2] ?? null }
}

const exactSource = ({ source, text }: FoundDocument): JsonObject =>
  text === undefined ? source : withExactIntegers(text)
