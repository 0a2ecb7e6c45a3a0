import type { Scalar } from '../../../query/plan/predicate.ts'
import { type FieldLayout, severalColumn, sqlTypeOf } from './table-layout.ts'

/*
 * Several values of a field are stored in one text. A list column could not be updated in place: DuckDB would delete
 * and reinsert the row, which moves it away from its neighbours.
 */

/** Unit separator between values. Record separator as the escape character for either of them inside a value. */
const SEPARATOR = '\u001f'
const ESCAPE = '\u001e'
const NEEDS_ESCAPE = new RegExp(`[${SEPARATOR}${ESCAPE}]`)

/** Joins several values. Numbers are printed so that parsing them returns the same number. */
export function joinValues(values: readonly Scalar[]): string {
  return values.map((value) => (typeof value === 'string' ? escapeValue(value) : String(value))).join(SEPARATOR)
}

function escapeValue(value: string): string {
  if (!NEEDS_ESCAPE.test(value)) return value
  return value.replaceAll(ESCAPE, `${ESCAPE}0`).replaceAll(SEPARATOR, `${ESCAPE}1`)
}

/** Returns the printed values of `joinValues`. */
export function splitValues(text: string): readonly string[] {
  const values = text.split(SEPARATOR)
  return text.includes(ESCAPE) ? values.map(unescapeValue) : values
}

const unescapeValue = (value: string): string =>
  value.replaceAll(`${ESCAPE}1`, SEPARATOR).replaceAll(`${ESCAPE}0`, ESCAPE)

/** SQL of the list of all values of a row. NULL if the row has one or none. */
export function listOf(field: FieldLayout): string {
  const column = severalColumn(field)
  if (field.type === 'GEO_POINT') return column
  const split = `string_split(${column}, chr(31))`
  if (field.type !== 'KEYWORD') return `CAST(${split} AS ${sqlTypeOf[field.type] ?? 'VARCHAR'}[])`
  const plain = `replace(replace(v, chr(30) || '1', chr(31)), chr(30) || '0', chr(30))`
  return `CASE WHEN contains(${column}, chr(30)) THEN list_transform(${split}, lambda v: ${plain}) ELSE ${split} END`
}

/** SQL of whether a row has more than one value. */
export const hasSeveral = (field: FieldLayout): string => `${severalColumn(field)} IS NOT NULL`

/**
 * SQL of a condition that is true for every row with this value among several. Far faster than splitting the text.
 * Undefined if the value can be written in more than one way.
 */
export function mayHold(field: FieldLayout, value: string, bind: (text: string) => string): string | undefined {
  if (field.type !== 'KEYWORD' && field.type !== 'IP') return undefined
  return `contains(${severalColumn(field)}, ${bind(escapeValue(value))})`
}

/**
 * Compiles that `condition` holds for at least one value of the field. `quick`: a cheap condition that is true for
 * every row whose list matches. `name`: of a value of the list, where conditions are inside each other.
 */
export function anyValue(field: FieldLayout, condition: (value: string) => string, quick?: string, name = 'v'): string {
  const single = condition(field.column)
  if (!field.several) return single
  const among = `len(list_filter(${listOf(field)}, lambda ${name}: ${condition(name)})) > 0`
  return `(${single} OR ${quick === undefined ? among : `(${quick} AND ${among})`})`
}
