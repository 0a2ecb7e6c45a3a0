import { readOpensearchAnswer } from './opensearch-answer.ts'
import { readPeriplusAnswer } from './periplus-answer.ts'
import type { Answer, AnsweredBucket, Question } from './question.ts'
import { type Row, readRowAnswer } from './row-answer.ts'

/** Reads the text of an answer of Periplus; files and tiles are not looked into. */
export const readPeriplus = ({ expects }: Question, text: string): Answer =>
  expects === 'bytes' ? { kind: 'bytes' } : normalised(readPeriplusAnswer(expects, JSON.parse(text)))

/** Reads the text of an answer of OpenSearch. */
export const readOpensearch = ({ expects }: Question, text: string): Answer =>
  normalised(readOpensearchAnswer(expects, JSON.parse(text)))

/** Reads the rows of ClickHouse or DuckDB. */
export const readRows = ({ expects, sqlKeys = ['value'] }: Question, rows: readonly Row[]): Answer =>
  normalised(readRowAnswer(expects, sqlKeys, rows))

const DIGITS = 6
/** Relative tolerance of metrics, one unit of the last digit at most, and of single values. */
const ROUNDED = 1.01 * 10 ** (1 - DIGITS)
const EXACT = 1e-9

/** Empty buckets are left out, because only histograms of some systems have them. */
function normalised(answer: Answer): Answer {
  if (answer.kind !== 'buckets') return answer
  const buckets = answer.buckets
    .filter(({ count }) => count > 0)
    .map(({ key, count, metrics = [] }) => ({
      key,
      count,
      ...(metrics.length === 0 ? {} : { metrics: metrics.map((v) => Number(v.toPrecision(DIGITS))) }),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return { kind: 'buckets', buckets }
}

/**
 * Says in one sentence what is different first; undefined if nothing is. `atBorder`: documents that may be on either side
 * of a border (`Question.atBorder`).
 */
export function differenceOf(expected: Answer, actual: Answer, atBorder = 0): string | undefined {
  if (expected.kind === 'count' && actual.kind === 'count') {
    if (Math.abs(expected.count - actual.count) <= atBorder) return undefined
    return `The count is ${actual.count} instead of ${expected.count}.`
  }
  if (expected.kind === 'number' && actual.kind === 'number') {
    return areClose(expected.value, actual.value, EXACT)
      ? undefined
      : `The value is ${actual.value} instead of ${expected.value}.`
  }
  if (expected.kind === 'ids' && actual.kind === 'ids') return idDifference(expected.ids, actual.ids)
  if (expected.kind === 'buckets' && actual.kind === 'buckets') {
    if (atBorder > 0 && documentsApart(expected.buckets, actual.buckets) <= atBorder) return undefined
    return bucketDifference(expected.buckets, actual.buckets)
  }
  return expected.kind === actual.kind ? undefined : `The answer is of kind ${actual.kind} instead of ${expected.kind}.`
}

function idDifference(expected: readonly string[], actual: readonly string[]): string | undefined {
  const at = expected.findIndex((id, n) => n < actual.length && actual[n] !== id)
  if (at >= 0) return `Document ${at + 1} is ${actual[at]} instead of ${expected[at]}.`
  return expected.length === actual.length
    ? undefined
    : `The answer has ${actual.length} documents instead of ${expected.length}.`
}

function bucketDifference(expected: readonly AnsweredBucket[], actual: readonly AnsweredBucket[]): string | undefined {
  const byKey = new Map(actual.map((bucket) => [bucket.key, bucket]))
  for (const { key, count, metrics = [] } of expected) {
    const other = byKey.get(key)
    if (other === undefined) return `Bucket ${key} with the count ${count} is missing.`
    if (other.count !== count) return `Bucket ${key} has the count ${other.count} instead of ${count}.`
    if (other.metrics?.length !== (metrics.length === 0 ? undefined : metrics.length)) {
      return `Bucket ${key} has ${other.metrics?.length ?? 0} metrics instead of ${metrics.length}.`
    }
    const at = metrics.findIndex((value, n) => !areClose(value, other.metrics?.[n] ?? Number.NaN, ROUNDED))
    if (at >= 0) {
      return `Metric ${at + 1} of bucket ${key} is ${other.metrics?.[at]} instead of ${metrics[at]}.`
    }
    byKey.delete(key)
  }
  const [more] = byKey.values()
  return more === undefined ? undefined : `Bucket ${more.key} with the count ${more.count} is not expected.`
}

/** Documents that are in a bucket of one answer only. */
function documentsApart(expected: readonly AnsweredBucket[], actual: readonly AnsweredBucket[]): number {
  const counts = new Map(expected.map(({ key, count }) => [key, count]))
  let apart = 0
  for (const { key, count } of actual) {
    apart += Math.abs(count - (counts.get(key) ?? 0))
    counts.delete(key)
  }
  for (const count of counts.values()) apart += count
  return apart
}

/** Values that are equal but for their last bits may be rounded to neighbouring numbers. */
const areClose = (a: number, b: number, tolerance: number): boolean =>
  a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b))
