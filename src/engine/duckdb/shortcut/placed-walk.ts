import type { SearchPlan } from '../../../query/plan/plan.ts'
import type { RankedPlace } from '../files/identifier-file.ts'
import { countRows, rowTest } from '../files/row-spans.ts'
import type { IndexTable } from '../index/index-table.ts'
import { identifierOrder } from './identifier-order.ts'
import type { PlacedRows } from './placed-rows.ts'
import type { RankedKeys } from './ranked-keys.ts'

/** Documents per step. Fewer are not worth a read, more would block other requests. */
const SMALLEST_STEP = 1_000
const LARGEST_STEP = 50_000

/**
 * Returns the page of a plan in the order of an identifier, by walking the documents in that order from its cursor on
 * and keeping those in the spans. Fast if the spans contain many rows, because then a match is never far. Undefined if
 * scanning the rows is cheaper, or there is no such order.
 */
export async function walkPlaced(
  plan: SearchPlan,
  { spans, rest }: PlacedRows,
  table: IndexTable,
  ranked: RankedKeys,
): Promise<readonly RankedPlace[] | undefined> {
  const rows = countRows(spans)
  const wanted = plan.from + plan.size
  const { documents } = table.definition
  const apart = documents / rows
  if (rest.kind !== 'everything' || wanted * apart > rows) return undefined
  const order = await identifierOrder(plan, table, ranked)
  if (!order) return undefined
  const isSought = rowTest(spans)
  const found: RankedPlace[] = []
  for (let walked = 0; found.length < wanted && walked < documents; ) {
    // Identifiers may correlate with places, so that those of other places come first.
    if (walked > rows) return undefined
    const expected = Math.ceil((wanted - found.length) * apart)
    const step = Math.min(LARGEST_STEP, Math.max(SMALLEST_STEP, expected))
    for (const place of await order.read(walked, step, isSought)) found.push(place)
    walked += step
  }
  return found.slice(plan.from, wanted)
}
