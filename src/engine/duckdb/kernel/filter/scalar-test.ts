import type {
  EqualsPredicate,
  FuzzyPredicate,
  PatternPredicate,
  PrefixPredicate,
  RangePredicate,
} from '../../../../query/plan/predicate.ts'
import type { Field } from '../../../../query/schema/field.ts'
import { type Column, NO_KEY, type PointColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { lowerBound } from './candidates.ts'
import { compileCodeExists, compileCodeTest } from './code-test.ts'
import { everyRow, noRow } from './filter-tests.ts'
import { testAnyOfSeveral, testDoubles } from './filter-values.ts'
import { compileNumberExists, compileNumberTest } from './number-test.ts'

type ScalarPredicate = EqualsPredicate | RangePredicate | PrefixPredicate | PatternPredicate | FuzzyPredicate

/** Compiles a predicate on single values. False for columns that have none. */
export function compileScalarTest(p: ScalarPredicate, column: Column, part: Part): RowTest {
  if (column.kind === 'code') return compileCodeTest(p, column, part)
  const isNumeric = p.kind === 'equals' || p.kind === 'range'
  return column.kind === 'number' && isNumeric ? compileNumberTest(p, column, part) : noRow
}

export function compileExistsTest({ path }: Pick<Field, 'path'>, column: Column, part: Part): RowTest {
  switch (column.kind) {
    case 'code':
      return compileCodeExists(column, part)
    case 'number':
      return compileNumberExists(column, part)
    case 'point':
      return compilePointExists(column, part, part.sortedBy === path)
    case 'shape':
      return testDoubles(column.west, -Infinity, Infinity)
    case 'text':
      return testAnyOfSeveral(column.starts)
  }
}

function compilePointExists({ starts, lon, high }: PointColumn, part: Part, isSorted: boolean): RowTest {
  if (starts) return testAnyOfSeveral(starts)
  const test = testDoubles(lon, -Infinity, Infinity)
  if (!isSorted) return test
  // Rows without a key come last.
  const end = lowerBound(high, NO_KEY, 0, part.rows)
  if (end === part.rows) return everyRow
  return { ...test, candidates: { kind: 'ranges', ranges: end === 0 ? [] : [[0, end]], exact: true }, most: end }
}
