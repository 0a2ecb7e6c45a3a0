import { BLOCK } from '../../segment/column.ts'
import { type BlockDecision, type Candidates, candidateCount, type Exceptions, type RowTest } from '../row-test.ts'
import { noCandidates } from './candidates.ts'
import { noExceptions, uniteExceptions } from './exceptions.ts'
import { countMask, createMask, intersectMask, keepIf } from './filter-mask.ts'
import { everyRow, noRow, withCandidates } from './filter-tests.ts'
import { selectBy } from './filter-values.ts'

/** Where to look for matching rows, and what they must still satisfy. */
export interface Access {
  readonly candidates?: Candidates
  /** Undefined: all candidates match. */
  readonly rest?: RowTest
}

interface ComposedTest extends RowTest {
  /** More precise than `candidates` and the whole test. */
  readonly access?: () => Access
  readonly counted?: CountedRows
  readonly listed?: () => ListedRows
}

/** Distinct rows in any order, and what they must still satisfy. */
interface ListedRows {
  readonly rows: Uint32Array
  readonly rest: RowTest
}

/** Returns rows to count the matching ones among, if that is faster than to test the whole part. */
export const listedRows = (test: ComposedTest): ListedRows | undefined => test.listed?.()

/** Up to this share of the part (1 : n), rows are tested one by one, in any order. */
const SCATTERED_SHARE = 2

/** The matching rows of a test are those of another, whose number is known, except some. */
export interface CountedRows {
  readonly test: RowTest
  readonly count: number
  readonly exceptions: Exceptions
}

/** Undefined if the rows of a test must be looked at to count them. */
export function countedRows(test: ComposedTest): CountedRows | undefined {
  const { count } = test
  return test.counted ?? (count === undefined ? undefined : { test, count, exceptions: noExceptions })
}

export function accessOf(test: ComposedTest): Access {
  if (test.access) return test.access()
  const { candidates } = test
  if (candidates === undefined) return test === everyRow ? {} : { rest: test }
  return candidates.exact ? { candidates } : { candidates, rest: test }
}

/** Below this share of the rows (1 : n), a test per row costs less than one of the whole block, which is read in order. */
const SPARSE_SHARE = 32

export const isSparse = (count: number, rows: number): boolean => count * SPARSE_SHARE < rows

/** Clears the rows of a mask that do not pass a test. Returns the number of rows left, `count` of which were set. */
export function narrowMask(
  { refine, holds, fill, isExpensive }: RowTest,
  from: number,
  to: number,
  mask: Uint8Array,
  count: number,
  scratch: Uint8Array,
): number {
  const rows = to - from
  if (refine) refine(from, to, mask)
  else if (count === rows) fill(from, to, mask)
  else if (isExpensive || isSparse(count, rows)) keepIf(mask, rows, from, holds)
  else {
    fill(from, to, scratch)
    intersectMask(mask, scratch, rows)
  }
  return countMask(mask, rows)
}

/** Whether a test has candidates; reading them may be what lists them. */
export const hasCandidates = (test: RowTest): boolean => 'candidates' in test

/** Upper bound of the rows that pass a test. */
export function mostOf(test: RowTest): number {
  if (test.most !== undefined) return test.most
  return test.candidates === undefined ? Infinity : candidateCount(test.candidates)
}

export const decisionOf = (test: RowTest, block: number): BlockDecision => test.decide?.(block) ?? 'some'

/** A scratch mask that is made when it is first used. */
export function lazyMask(): () => Uint8Array {
  let mask: Uint8Array | undefined
  return () => {
    mask ??= createMask()
    return mask
  }
}

export const isAnyExpensive = (tests: readonly RowTest[]): boolean => tests.some((test) => test.isExpensive)

/** Members of a composed test that apply to all tests made of others. */
export function commonParts(tests: readonly RowTest[], decide: (block: number) => BlockDecision): Partial<RowTest> {
  return {
    ...(tests.some((test) => test.decide) ? { decide } : {}),
    ...(isAnyExpensive(tests) ? { isExpensive: true } : {}),
  }
}

/** Conjunction. */
export function bothTests(members: readonly RowTest[], partRows: number): ComposedTest {
  const tests = members.filter((test) => test !== everyRow)
  const [first] = tests
  if (first === undefined) return everyRow
  if (tests.includes(noRow)) return noRow
  return tests.length === 1 ? first : intersection(cheapestFirst(tests, partRows), partRows)
}

/** Cheap tests first, and among them those that fewest rows pass. */
function cheapestFirst(tests: readonly RowTest[], partRows: number): readonly RowTest[] {
  return tests
    .map((test) => ({ test, share: test.isExpensive ? 2 : passShare(test, partRows) }))
    .sort((a, b) => a.share - b.share)
    .map(({ test }) => test)
}

/** Rows that are tested to estimate how many pass. */
const SAMPLE = 64

function passShare(test: RowTest, partRows: number): number {
  const most = mostOf(test) / partRows
  if (most * SAMPLE < 1 || partRows < BLOCK) return most
  let passed = 0
  for (let i = 0; i < SAMPLE; i++) passed += Number(test.holds(Math.floor(((i + 0.5) * partRows) / SAMPLE)))
  return Math.min(most, passed / SAMPLE)
}

function intersection(tests: readonly RowTest[], partRows: number): ComposedTest {
  const scratch = lazyMask()
  const narrow = (from: number, to: number, mask: Uint8Array, wanted: number): void => {
    const block = Math.floor(from / BLOCK)
    const rows = to - from
    let count = wanted
    for (const test of tests) {
      if (count === 0) return
      const decision = decisionOf(test, block)
      if (decision === 'all') continue
      if (decision === 'none') {
        mask.fill(0, 0, rows)
        return
      }
      count = narrowMask(test, from, to, mask, count, scratch())
    }
  }
  const test: ComposedTest = {
    ...commonParts(tests, (block) => decideAll(tests, block)),
    fill(from, to, mask) {
      mask.fill(1, 0, to - from)
      narrow(from, to, mask, to - from)
    },
    refine: (from, to, mask) => narrow(from, to, mask, countMask(mask, to - from)),
    holds(row) {
      for (const member of tests) if (!member.holds(row)) return false
      return true
    },
    select(rows, list) {
      let some = rows
      for (const member of tests) some = list.subarray(0, (member.select ?? selectBy(member.holds))(some, list))
      return some.length
    },
  }
  const known = { ...knownRows(tests, test, partRows), ...fewestRows(tests, partRows) }
  const most = Math.min(...tests.map(mostOf))
  const starter = tests.filter(hasCandidates).sort((a, b) => mostOf(a) - mostOf(b))[0]
  if (starter === undefined) return most === Infinity ? { ...test, ...known } : { ...test, ...known, most }
  const access = (): Access => {
    const { candidates, rest } = accessOf(starter)
    const others = tests.filter((member) => member !== starter)
    return { ...(candidates ? { candidates } : {}), rest: bothTests(rest ? [rest, ...others] : others, partRows) }
  }
  return withCandidates({ ...test, ...known, access }, most, () => ({
    ...(starter.candidates ?? noCandidates),
    exact: false,
  }))
}

/** Of the rows at hand of the member that fewest pass. */
function fewestRows(tests: readonly RowTest[], partRows: number): Pick<ComposedTest, 'listed'> {
  const fewest = tests.reduce((few, test) => (mostOf(test) < mostOf(few) ? test : few))
  const { unordered } = fewest
  if (!unordered || mostOf(fewest) * SCATTERED_SHARE > partRows) return {}
  const others = tests.filter((test) => test !== fewest)
  if (isAnyExpensive(others)) return {}
  return { listed: () => ({ rows: unordered(), rest: bothTests(others, partRows) }) }
}

/** What is known of a conjunction if most rows pass all its members, or all but one. */
function knownRows(
  tests: readonly RowTest[],
  whole: RowTest,
  partRows: number,
): Pick<ComposedTest, 'exceptions' | 'counted'> {
  const others = tests.filter(({ exceptions }) => exceptions === undefined)
  const [other] = others
  const exceptions = uniteExceptions(
    tests.filter((test) => test !== other),
    partRows,
  )
  if (exceptions === undefined) return {}
  if (other === undefined) {
    const count = partRows - exceptions.count
    return { exceptions, counted: { test: whole, count, exceptions: noExceptions } }
  }
  const { count } = other
  return count === undefined ? {} : { counted: { test: other, count, exceptions } }
}

function decideAll(tests: readonly RowTest[], block: number): BlockDecision {
  let decision: BlockDecision = 'all'
  for (const test of tests) {
    const each = decisionOf(test, block)
    if (each === 'none') return 'none'
    if (each === 'some') decision = 'some'
  }
  return decision
}
