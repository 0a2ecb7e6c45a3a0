import type { SortKey } from '../../../../query/plan/plan.ts'
import type { Part } from '../../segment/part.ts'
import { codeKey } from './page-code-key.ts'
import { distanceKey } from './page-distance.ts'
import { numberKey } from './page-number-key.ts'
import type { Direction, PartKey, Ranks } from './sort-key.ts'

/** Returns how a sort key is read in a part. */
export function compileKey(key: SortKey, part: Part, direction: Direction): PartKey {
  const column = part.column(key.field)
  switch (column?.kind) {
    case 'code':
      return codeKey(column, direction)
    case 'number':
      return numberKey(column, direction)
    case 'point':
    case 'shape':
      if (key.kind === 'distance') return distanceKey(column, key, direction)
  }
  return missingKey(direction)
}

/** No row has a value. */
function missingKey({ sign, missing }: Direction): PartKey {
  const ranks: Ranks = {
    of: () => missing,
    // Any value differs from a missing one, and that is all that counts.
    ofValue: (value) => (value === null ? missing : typeof value === 'number' ? sign * value : 0),
    fill: (from, to, into) => into.fill(missing, 0, to - from),
  }
  return { ranks, value: () => null, compare: () => 0 }
}
