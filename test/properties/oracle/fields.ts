import type { AggregatedDocument } from './aggregated-documents.ts'
import { printDate } from './date-buckets.ts'
import { compareCodePoints } from './texts.ts'

export type Scalar = string | number | boolean

/** A field with scalar values, as seen by buckets and metrics. */
export interface ScalarField {
  readonly type: 'keyword' | 'ip' | 'integer' | 'floating' | 'boolean' | 'date'
  readonly values: (document: AggregatedDocument) => readonly Scalar[]
  /** For dates: prints a key in the format of the mapping. */
  readonly print?: (ms: number) => string
}

/** Digits beyond milliseconds are truncated. */
const iso = (ms: number): string => new Date(Math.floor(ms)).toISOString()
const seen: ScalarField = { type: 'date', values: (d) => d.seen, print: iso }

const fields: Readonly<Record<string, ScalarField>> = {
  id: { type: 'keyword', values: (d) => [d.id] },
  kw: { type: 'keyword', values: (d) => d.kw },
  'deep.kw': { type: 'keyword', values: (d) => d.deep },
  ip: { type: 'ip', values: (d) => d.ip },
  n: { type: 'integer', values: (d) => d.n },
  big: { type: 'integer', values: (d) => d.big },
  x: { type: 'floating', values: (d) => d.x },
  half: { type: 'floating', values: (d) => d.half },
  flag: { type: 'boolean', values: (d) => d.flag },
  seen,
  $timestamp: seen,
  day: { type: 'date', values: (d) => d.day, print: (ms) => printDate(ms, 'dd/MM/yyyy') },
  at: { type: 'date', values: (d) => d.at, print: (ms) => String(ms / 1000) },
}

/** Returns undefined for a field that is not in the schema. */
export const scalarField = (path: string): ScalarField | undefined => fields[path]

/** Returns the numbers of a field; dates in ms. */
export function numbersOf(path: string, document: AggregatedDocument): number[] {
  return (scalarField(path)?.values(document) ?? []).map(Number)
}

export function compareScalars(a: Scalar, b: Scalar): number {
  return typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) : Number(a) - Number(b)
}

/** Parses `-path` as descending, `+path` and `path` as ascending. */
interface SortItem {
  readonly path: string
  readonly descending: boolean
}

export const readSort = (item: string): SortItem => ({
  path: item.replace(/^[+-]/, ''),
  descending: item.startsWith('-'),
})

/**
 * Compares by the smallest value ascending, by the largest descending; missing values are last in both cases. Ties are
 * ordered by id.
 */
export function compareDocuments(items: readonly SortItem[]): (a: AggregatedDocument, b: AggregatedDocument) => number {
  return (a, b) => {
    for (const { path, descending } of items) {
      const pick = (d: AggregatedDocument): Scalar | undefined => {
        const sorted = [...(scalarField(path)?.values(d) ?? [])].sort(compareScalars)
        return descending ? sorted.at(-1) : sorted[0]
      }
      const [x, y] = [pick(a), pick(b)]
      if (x === undefined || y === undefined) {
        if (x !== y) return x === undefined ? 1 : -1
        continue
      }
      const c = compareScalars(x, y)
      if (c !== 0) return descending ? -c : c
    }
    return compareCodePoints(a.id, b.id)
  }
}
