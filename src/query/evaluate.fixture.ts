import { pointValues, shapeValues } from '../geo/document-geometry.ts'
import type { PreparedArea } from '../geo/prepared-area.ts'
import { prepareArea } from '../geo/prepared-area.ts'
import { normaliseShape, shapeOfAll } from '../geo/shape.ts'
import type { JsonObject } from '../model/document.ts'
import { compareCodePoints } from './code-point-order.ts'
import type { Field } from './field.ts'
import type { KeywordPattern, PatternNode } from './keyword-pattern.ts'
import type { Bound, GeoPredicate, Predicate, RangePredicate, Scalar } from './predicate.ts'
import { rawAt, readStoredValues, valuesAt } from './stored-value.ts'
import { tokenize } from './text-analysis.ts'

/** What a predicate means, document by document: the reading tests hold the resolver against. */
export function holds(p: Predicate, source: JsonObject): boolean {
  switch (p.kind) {
    case 'everything':
      return true
    case 'nothing':
      return false
    case 'and':
      return p.members.every((m) => holds(m, source))
    case 'or':
      return p.members.some((m) => holds(m, source))
    case 'not':
      return !holds(p.member, source)
    case 'exists':
      return values(p.field, source).length > 0
    case 'equals':
      return values(p.field, source).some((v) => p.values.includes(v))
    case 'range':
      return values(p.field, source).some((v) => inRange(p, v))
    case 'pattern':
      return values(p.field, source).some((v) => toRegExp(p.pattern).test(String(v)))
    case 'prefix':
      return values(p.field, source).some((v) => String(v).startsWith(p.prefix))
    case 'fuzzy':
      return terms(p.field, source).some((t) => distance(t, p.word) <= p.edits)
    case 'phrase':
      return texts(p.field, source).some((tokens) => hasPhrase(tokens, p.tokens, p.lastIsPrefix, p.slop))
    case 'geo':
      return matchesArea(p, source)
    case 'cell':
      throw new Error('cells are not part of a filter')
  }
}

const values = (field: Field, source: JsonObject): readonly Scalar[] =>
  valuesAt(source, field.path).flatMap((value) => readStoredValues(field, value))

const texts = (field: Field, source: JsonObject): readonly (readonly string[])[] =>
  valuesAt(source, field.path).map((value) => tokenize(String(value)))

const terms = (field: Field, source: JsonObject): readonly string[] =>
  field.type === 'TEXT' ? texts(field, source).flat() : values(field, source).map(String)

function inRange({ lower, upper }: RangePredicate, value: Scalar): boolean {
  const compare = (bound: Bound): number =>
    typeof value === 'string'
      ? compareCodePoints(value, String(bound.value))
      : value < bound.value
        ? -1
        : value > bound.value
          ? 1
          : 0
  if (lower !== undefined && (lower.inclusive ? compare(lower) < 0 : compare(lower) <= 0)) return false
  return upper === undefined || (upper.inclusive ? compare(upper) <= 0 : compare(upper) < 0)
}

function hasPhrase(tokens: readonly string[], wanted: readonly string[], lastIsPrefix: boolean, slop: number): boolean {
  const fits = (token: string, i: number): boolean => {
    const word = wanted[i] ?? ''
    return lastIsPrefix && i === wanted.length - 1 ? token.startsWith(word) : token === word
  }
  const from = (at: number, i: number, left: number): boolean => {
    if (i === wanted.length) return true
    for (let skip = 0; skip <= left && at + skip < tokens.length; skip++) {
      if (fits(tokens[at + skip] ?? '', i) && from(at + skip + 1, i + 1, left - skip)) return true
    }
    return false
  }
  return tokens.some((token, at) => fits(token, 0) && from(at + 1, 1, slop))
}

/** Edits, a swap of neighbours being one (optimal string alignment). */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  const at = (i: number, j: number): number => (i < 0 || j < 0 ? 99 : (d[i]?.[j] ?? (j === 0 ? i : 99)))
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const row = d[i]
      if (row === undefined) continue
      const left = j === 1 ? i : at(i, j - 1)
      row[j] = Math.min(at(i - 1, j) + 1, left + 1, at(i - 1, j - 1) + same, swapped ? at(i - 2, j - 2) + 1 : 99)
    }
  }
  return at(a.length, b.length)
}

function toRegExp({ anchoredStart, anchoredEnd, node }: KeywordPattern): RegExp {
  return new RegExp(`${anchoredStart ? '^' : ''}(?:${printNode(node)})${anchoredEnd ? '$' : ''}`, 'su')
}

function printNode(node: PatternNode): string {
  const point = (n: number): string => `\\u{${n.toString(16)}}`
  switch (node.kind) {
    case 'literal':
      return [...node.text].map((c) => point(c.codePointAt(0) ?? 0)).join('')
    case 'any':
      return '.'
    case 'class':
      return `[${node.negated ? '^' : ''}${node.ranges.map((r) => `${point(r.from)}-${point(r.to)}`).join('')}]`
    case 'sequence':
      return node.members.map(printNode).join('')
    case 'choice':
      return `(?:${node.members.map(printNode).join('|')})`
    case 'repeat':
      return `(?:${printNode(node.member)}){${node.min},${node.max ?? ''}}`
  }
}

const areas = new WeakMap<GeoPredicate, PreparedArea>()

function matchesArea(p: GeoPredicate, source: JsonObject): boolean {
  let area = areas.get(p)
  if (area === undefined) {
    area = prepareArea(p.area)
    areas.set(p, area)
  }
  const prepared = area
  const raw = rawAt(source, p.field.path)
  if (raw === undefined) return false
  if (p.field.type === 'GEO_POINT') {
    return pointValues(raw).some(([lon, lat]) => prepared.coversPoint(lon ?? Number.NaN, lat ?? Number.NaN))
  }
  const shapes = shapeValues(raw).flatMap((g) => normaliseShape(g) ?? [])
  if (shapes.length === 0) return false
  return p.relation === 'within'
    ? prepared.coversShape(shapeOfAll(shapes))
    : prepared.intersectsShape(shapeOfAll(shapes))
}
