import { BLOCK } from '../../segment/column.ts'
import type { BlockDecision, RowTest } from '../row-test.ts'
import { noCandidates, uniteCandidates } from './candidates.ts'
import {
  commonParts,
  decisionOf,
  hasCandidates,
  isAnyExpensive,
  lazyMask,
  mostOf,
  narrowMask,
} from './filter-composition.ts'
import { countMask, intersectMask, invertMask, subtractMask, uniteMask } from './filter-mask.ts'
import { everyRow, noRow, withCandidates } from './filter-tests.ts'

/** Disjunction. */
export function anyTest(members: readonly RowTest[], partRows: number): RowTest {
  const tests = members.filter((test) => test !== noRow)
  const [first] = tests
  if (first === undefined) return noRow
  if (tests.includes(everyRow)) return everyRow
  return tests.length === 1 ? first : union(tests, partRows)
}

function union(tests: readonly RowTest[], partRows: number): RowTest {
  const cheapFirst = tests.toSorted((a, b) => Number(a.isExpensive ?? false) - Number(b.isExpensive ?? false))
  const scratch = lazyMask()
  const left = lazyMask()
  const found = lazyMask()
  /** Sets the bytes of matching rows. Expensive tests look at wanted rows only; others may be set, too. */
  const collect = (from: number, to: number, mask: Uint8Array, wanted: Uint8Array | undefined): void => {
    const block = Math.floor(from / BLOCK)
    const rows = to - from
    mask.fill(0, 0, rows)
    for (const test of cheapFirst) {
      const decision = decisionOf(test, block)
      if (decision === 'none') continue
      if (decision === 'all') {
        mask.fill(1, 0, rows)
        return
      }
      const matching = left()
      if (test.isExpensive) {
        if (wanted) matching.set(wanted)
        else matching.fill(1)
        subtractMask(matching, mask, rows)
        const count = countMask(matching, rows)
        if (count > 0) narrowMask(test, from, to, matching, count, scratch())
      } else test.fill(from, to, matching)
      uniteMask(mask, matching, rows)
    }
  }
  const refine = (from: number, to: number, mask: Uint8Array): void => {
    const matching = found()
    collect(from, to, matching, mask)
    intersectMask(mask, matching, to - from)
  }
  const test: RowTest = {
    ...commonParts(tests, (block) => decideAny(tests, block)),
    fill: (from, to, mask) => collect(from, to, mask, undefined),
    ...(isAnyExpensive(tests) ? { refine } : {}),
    holds(row) {
      for (const member of cheapFirst) if (member.holds(row)) return true
      return false
    },
  }
  const most = tests.reduce((sum, member) => sum + mostOf(member), 0)
  if (!tests.every(hasCandidates)) return most === Infinity ? test : { ...test, most }
  return withCandidates(test, most, () =>
    uniteCandidates(
      tests.map(({ candidates }) => candidates ?? noCandidates),
      partRows,
    ),
  )
}

function decideAny(tests: readonly RowTest[], block: number): BlockDecision {
  let decision: BlockDecision = 'none'
  for (const test of tests) {
    const each = decisionOf(test, block)
    if (each === 'all') return 'all'
    if (each === 'some') decision = 'some'
  }
  return decision
}

/** Negation: also true for rows without a value. */
export function notTest(test: RowTest): RowTest {
  if (test === everyRow) return noRow
  if (test === noRow) return everyRow
  const matching = lazyMask()
  const scratch = lazyMask()
  const refine = (from: number, to: number, mask: Uint8Array): void => {
    const rows = to - from
    matching().set(mask)
    narrowMask(test, from, to, matching(), countMask(mask, rows), scratch())
    subtractMask(mask, matching(), rows)
  }
  return {
    ...commonParts([test], (block) => opposite[decisionOf(test, block)]),
    fill(from, to, mask) {
      test.fill(from, to, mask)
      invertMask(mask, to - from)
    },
    ...(test.isExpensive ? { refine } : {}),
    holds: (row) => !test.holds(row),
  }
}

const opposite = { all: 'none', none: 'all', some: 'some' } as const satisfies Record<BlockDecision, BlockDecision>
