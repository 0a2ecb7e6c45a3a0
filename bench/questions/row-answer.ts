import { joined, missing } from './answer-parts.ts'
import type { Answer, AnsweredBucket, SqlKey } from './question.ts'

/** 64-bit integers are numbers, bigints or texts, depending on the driver. */
export type Row = readonly (string | number | bigint | boolean | null)[]

const DAY_MS = 86_400_000

export function readRowAnswer(expects: Answer['kind'], keys: readonly SqlKey[], rows: readonly Row[]): Answer {
  switch (expects) {
    case 'count':
      return { kind: 'count', count: onlyNumber(rows) }
    case 'number':
      return { kind: 'number', value: onlyNumber(rows) }
    case 'ids':
      return { kind: 'ids', ids: rows.map((row) => String(row[0])) }
    case 'buckets':
      return { kind: 'buckets', buckets: rows.map((row) => bucketOf(keys, row)) }
    case 'bytes':
      return { kind: 'bytes' }
  }
}

function onlyNumber(rows: readonly Row[]): number {
  const value = rows[0]?.[0]
  return value === undefined || value === null ? missing('value', rows) : Number(value)
}

/** A row is keys, count, metrics. */
function bucketOf(keys: readonly SqlKey[], row: Row): AnsweredBucket {
  let at = 0
  const next = (): Row[number] => row[at++] ?? null
  const texts = keys.map((key) => keyText(key, next))
  const count = Number(next())
  return { key: joined(texts), count, metrics: row.slice(at).map(Number) }
}

function keyText(key: SqlKey, next: () => Row[number]): string {
  if (typeof key === 'object') return `${key.tileZoom}/${Number(next())}/${Number(next())}`
  switch (key) {
    case 'day':
      return String(Number(next()) * DAY_MS)
    case 'month':
      return String(Date.UTC(1970, Number(next()), 1))
    case 'value':
      return String(next())
  }
}
