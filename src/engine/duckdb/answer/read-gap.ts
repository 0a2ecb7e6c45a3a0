import type { EngineRead } from '../../read-explanation.ts'
import { compileFilter } from '../kernel/filter/filter.ts'
import { kernelGap } from '../kernel/filter/filter-coverage.ts'
import { groupGap } from '../kernel/group/coverage.ts'
import type { NumberedPart } from '../kernel/numbered-part.ts'
import { pageGap } from '../kernel/page/page-gap.ts'
import { suggestGap } from '../kernel/suggest/suggest.ts'
import type { PartOutline } from '../segment/part.ts'
import type { IndexTable } from '../table/index-table.ts'
import { storedParts, wantedOf, withParts } from './opened-tables.ts'

/** Says why kernels do not cover a read. Undefined if they do. */
export function readGap(read: EngineRead, tables: readonly IndexTable[]): string | undefined {
  const known = tables.map(({ parts }) => parts.gap).find((gap) => gap !== undefined)
  if (known !== undefined) return known
  const numbered = storedParts(tables)
  const parts = numbered.map(({ part }) => part)
  return kernelGap(read.plan.predicate, parts) ?? methodGap(read, numbered)
}

function methodGap(read: EngineRead, parts: readonly NumberedPart<PartOutline>[]): string | undefined {
  switch (read.method) {
    case 'search':
      return pageGap(read.plan, parts)
    case 'aggregate':
    case 'measure':
      return groupGap(read.plan, parts)
    case 'suggest':
      return suggestGap(read.plan, parts)
    case 'count':
    case 'scan':
      return undefined
  }
}

/** Upper bound of the rows that the filter of a read looks at. */
export const rowsToExamine = (
  { plan }: EngineRead,
  tables: readonly IndexTable[],
  signal: AbortSignal | undefined,
): Promise<number> =>
  withParts(tables, wantedOf.selection(plan), signal, async (parts) =>
    parts.reduce((sum, { part }) => sum + compileFilter(plan.predicate, part).most, 0),
  )
