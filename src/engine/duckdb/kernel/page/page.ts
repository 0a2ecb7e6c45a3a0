import type { SearchPlan } from '../../../../query/plan/plan.ts'
import type { Turn } from '../../../../turn.ts'
import { countMatches } from '../filter/count.ts'
import { compileFilter } from '../filter/filter.ts'
import type { NumberedPart, RowRef } from '../numbered-part.ts'
import { TopRows } from '../top-rows.ts'
import { mergeRows, type PageRow } from './page-merge.ts'
import { orderRows, type RowOrder, readingOrder } from './page-order.ts'
import { scanRows } from './page-scan.ts'
import { walkPart } from './page-walk.ts'

interface PageOfRows {
  /** In the order of the plan. */
  readonly rows: readonly RowRef[]
  /** Number of rows that match, whatever the cursor. Absent if not requested. */
  readonly total?: number
}

/** Finds a page of rows. See `pageGap` for what the parts must allow. Memory is bounded by from + size. */
export async function pageOfParts(plan: SearchPlan, parts: readonly NumberedPart[], turn: Turn): Promise<PageOfRows> {
  const order = readingOrder(plan)
  const most = plan.size > 0 ? plan.from + plan.size : 0
  const orders: RowOrder[] = []
  let found: readonly PageRow[] = []
  let total = 0
  for (const [number, { part }] of parts.entries()) {
    const filter = compileFilter(plan.predicate, part)
    let counted: number | undefined
    if (most > 0) {
      const rowOrder = orderRows(order, part)
      orders.push(rowOrder)
      const worst = found.length === most ? found.at(-1) : undefined
      const top = new TopRows(most, rowOrder.tie, worst ? rowOrder.rankOfFirst(worst.first) : Infinity)
      if (!(await walkPart(part, filter, rowOrder, top, most, turn)))
        counted = await scanRows(filter, rowOrder, top, turn)
      const rows = Array.from(top.sorted(), (row) => ({ part: number, row, first: rowOrder.value(0, row) }))
      found = mergeRows(found, rows, most, order, parts, orders)
    }
    if (plan.wantsTotal) total += counted ?? (await countMatches(filter, turn))
  }
  const rows = found.slice(plan.from).map(({ part, row }): RowRef => ({ part, row }))
  if (order.isBackwards) rows.reverse()
  return plan.wantsTotal ? { rows, total } : { rows }
}
