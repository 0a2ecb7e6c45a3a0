import { Type } from 'typebox'
import { problem } from '../errors.ts'
import { checkBody } from '../model/check-body.ts'
import { type Filter, operators } from '../model/filter.ts'
import { Page, Search } from '../model/search.ts'
import { TagRequest } from '../model/tag-request.ts'

/** Maximum length of a label, in characters. */
const LONGEST_LABEL = 1_000

/** Accepts any integer here. The limits of size and from are checked later with the page, after the tag. */
const AnyPage = Type.Object(
  { ...Page.properties, size: Type.Optional(Type.Integer()), from: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
)
const AnySearch = Type.Object({ ...Search.properties, page: Type.Optional(AnyPage) }, { additionalProperties: false })
const Body = Type.Object(
  { ...TagRequest.properties, search: Type.Optional(AnySearch) },
  { additionalProperties: false },
)

/**
 * Validates types, keys and operators of a body (spec tagging 1.3 row 8). The returned copy is normalised and has no
 * nulls.
 */
export function readTagBody(body: unknown): TagRequest {
  const request = checkBody(Body, body)
  for (const [path, filter] of filtersOf(request)) checkOperators(path, filter)
  return request
}

/** Row 8a. */
export function checkLabel(label: string | undefined): void {
  if (label === undefined || label.length <= LONGEST_LABEL || [...label].length <= LONGEST_LABEL) return
  const reason = `must have at most ${LONGEST_LABEL} characters`
  throw problem('INVALID_BODY', { parameter: 'label', value: label, reason })
}

/** Returns every filter of a request, with its path. */
export function filtersOf(request: Omit<TagRequest, 'tag'>): readonly (readonly [string, Filter])[] {
  const { filter, search, partitionFilter, propagation } = request
  const single = [
    ['filter', filter],
    ['search.filter', search?.filter],
    ['propagation.filter', propagation?.filter],
  ] as const
  const lists = [
    ['partitionFilter', partitionFilter],
    ['search.partitionFilter', search?.partitionFilter],
  ] as const
  return [
    ...single.flatMap(([path, given]) => (given === undefined ? [] : [[path, given] as const])),
    ...lists.flatMap(([path, entries = []]) => entries.map((entry, i) => [`${path}[${i}]`, entry] as const)),
  ]
}

function checkOperators(path: string, { f = [] }: Filter): void {
  for (const [i, group] of f.entries()) {
    for (const [j, { op }] of group.entries()) {
      if (op === undefined || op === '' || operators.some((known) => known === op.toLowerCase())) continue
      const reason = `must be one of ${operators.join(', ')}`
      throw problem('INVALID_BODY', { parameter: `${path}.f[${i}][${j}].op`, value: op, reason })
    }
  }
}
