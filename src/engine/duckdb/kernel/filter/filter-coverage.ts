import type { Predicate } from '../../../../query/plan/predicate.ts'
import type { Part } from '../../segment/part.ts'

/** Says why kernels cannot evaluate a predicate on some parts. Undefined if they can. */
export function kernelGap(predicate: Predicate, parts: readonly Part[]): string | undefined {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
      return undefined
    case 'and':
    case 'or':
      return firstOf(predicate.members, (member) => kernelGap(member, parts))
    case 'not':
      return kernelGap(predicate.member, parts)
    case 'exists':
      return undefined
    default:
      return firstOf(parts, (part) => {
        const column = part.column(predicate.field)
        return column?.kind === 'number' && column.inexact ? 'integers beyond 2^53' : undefined
      })
  }
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
