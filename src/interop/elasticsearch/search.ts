import type { FoundDocument } from '../../engine/engine.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { hasLongNumber, parseRewritable } from '../../model/json/exact-json.ts'
import { asObject, setOwn } from '../../model/json/json-object.ts'
import type { SearchPlan } from '../../query/plan/plan.ts'
import { valuesAt } from '../../query/schema/document-path.ts'
import { fieldPatterns } from '../../query/schema/field-pattern.ts'
import type { Schema } from '../../query/schema/schema.ts'
import { mapInTurns } from '../../turn.ts'
import { printAggregations } from './aggregation-answer.ts'
import { type AggregationRun, ROOT, runAggregations } from './aggregation-run.ts'
import type { Members } from './members.ts'
import type { SearchRequest } from './search-request.ts'
import { planOf, type SortPart, sortValues } from './sort.ts'
import { type SourceFilter, sourceProjection } from './source-filter.ts'

export interface AnswerForm {
  /** `hits.total` is a number, as in earlier versions. */
  readonly plainTotal: boolean
  /** Names of aggregations have their kind in front. */
  readonly hasTypes: boolean
}

/** Answers a search as Elasticsearch does. */
export async function answerSearch(
  request: SearchRequest,
  schema: Schema,
  run: AggregationRun,
  form: AnswerForm,
): Promise<Members> {
  const started = performance.now()
  const { hits, total } = await run.engine.search(planSearch(request, run.indices), run.signal)
  const aggregations =
    request.aggregations.length === 0
      ? undefined
      : printAggregations(
          await runAggregations(request.aggregations, request.predicate, run),
          ROOT,
          run.limits,
          form.hasTypes,
        )
  return {
    took: Math.round(performance.now() - started),
    timed_out: false,
    _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
    hits: {
      ...(total === undefined ? {} : { total: form.plainTotal ? total : { value: total, relation: 'eq' } }),
      max_score: hits.length === 0 || request.sort.length > 0 ? null : 1,
      hits: await printHits(hits, request, schema),
    },
    ...(aggregations === undefined ? {} : { aggregations }),
  }
}

function planSearch(
  { hits, sort, size, from, cursor, wantsTotal }: SearchRequest,
  indices: readonly string[],
): SearchPlan {
  const plan = { indices, predicate: hits, sort: planOf(sort), size, from, wantsTotal, wantsIds: true } as const
  return cursor === undefined ? plan : { ...plan, cursor }
}

interface HitForm {
  readonly sort: readonly SortPart[]
  readonly source: SourceFilter
  readonly fields: readonly string[]
  readonly hasVersion: boolean
}

/** Prints found documents as hits. All match equally well. */
function printHits(
  hits: readonly FoundDocument[],
  { sort, source, fields, hasVersion }: HitForm,
  schema: Schema,
): Promise<readonly Members[]> {
  const project = sourceProjection(source)
  const paths = fieldPaths(fields, schema)
  const hasScore = sort.length === 0 || sort.some(({ isScore }) => isScore)
  return mapInTurns(hits, (hit) => {
    const document = source.isShown ? exactDocument(hit) : {}
    return {
      _index: hit.index,
      _id: hit.id ?? '',
      ...(hasVersion ? { _version: 1 } : {}),
      _score: hasScore ? 1 : null,
      ...(source.isShown ? { _source: project === undefined ? document : project(document) } : {}),
      ...(paths.length === 0 ? {} : { fields: fieldValues(hit.source, paths) }),
      ...(sort.length === 0 ? {} : { sort: sortValues(sort, hit) }),
    }
  })
}

/** Integers beyond 2^53 keep their digits when it is printed. */
function exactDocument({ source, text }: FoundDocument): JsonObject {
  return text !== undefined && hasLongNumber(text) ? asObject(parseRewritable(text)) : source
}

function fieldPaths(names: readonly string[], schema: Schema): readonly string[] {
  if (names.length === 0) return []
  const patterns = fieldPatterns(names)
  return schema.fields.filter(({ path, type }) => type !== 'OBJECT' && patterns.selects(path)).map(({ path }) => path)
}

function fieldValues(document: JsonObject, paths: readonly string[]): Members {
  const found: Record<string, readonly Json[]> = {}
  for (const path of paths) {
    const values = valuesAt(document, path)
    if (values.length > 0) setOwn(found, path, values)
  }
  return found
}
