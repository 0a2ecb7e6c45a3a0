import { BLOCK } from '../../segment/column.ts'
import type { BlockDecision, Candidates, RowTest } from '../row-test.ts'
import { noCandidates } from './candidates.ts'
import type { ValueTest } from './filter-values.ts'

/** The test that every row passes. Compositions leave it out. */
export const everyRow: RowTest = {
  decide: () => 'all',
  fill: (from, to, mask) => mask.fill(1, 0, to - from),
  holds: () => true,
}

/** The test that no row passes. */
export const noRow: RowTest = {
  candidates: noCandidates,
  most: 0,
  decide: () => 'none',
  fill: (from, to, mask) => mask.fill(0, 0, to - from),
  holds: () => false,
}

/** Adds candidates that are found when they are first read. `test` has none. */
export function withCandidates<T extends RowTest>(test: T, most: number, find: () => Candidates): T {
  let found: Candidates | undefined
  return {
    ...test,
    most,
    get candidates(): Candidates {
      found ??= find()
      return found
    },
  }
}

/** A test whose matching rows can be listed at some cost. */
export const listedTest = (test: RowTest, most: number, list: () => Uint32Array): RowTest =>
  withCandidates(test, most, () => ({ kind: 'rows', rows: list(), exact: true }))

/** A test of which the decisions on all blocks are known. */
export function decidedTest(test: ValueTest, decisions: readonly BlockDecision[], rows: number): RowTest {
  let most = 0
  let isAll = true
  for (const [block, decision] of decisions.entries()) {
    if (decision !== 'all') isAll = false
    if (decision !== 'none') most += Math.min(BLOCK, rows - block * BLOCK)
  }
  if (isAll) return everyRow
  if (most === 0) return noRow
  return { most, decide: (block) => decisions[block] ?? 'some', ...test }
}
