/** Functions of Part "temporal functions", in lower case as in the JSON form without the underscores of old drafts. */
export const temporalRelations = [
  't_after',
  't_before',
  't_contains',
  't_disjoint',
  't_during',
  't_equals',
  't_finishedby',
  't_finishes',
  't_intersects',
  't_meets',
  't_metby',
  't_overlappedby',
  't_overlaps',
  't_startedby',
  't_starts',
] as const

export type TemporalRelation = (typeof temporalRelations)[number]

/** An end of a period, or an instant. */
export type End = 'start1' | 'end1' | 'start2' | 'end2'

export interface Condition {
  readonly left: End
  readonly op: '<' | '>' | '<=' | '>=' | '='
  readonly right: End
}

const is = (left: End, op: Condition['op'], right: End): Condition => ({ left, op, right })

/** A relation as comparisons of the ends of its operands: all must hold, or for `any` one of them. */
export function conditionsOf(relation: TemporalRelation): {
  readonly join: 'all' | 'any'
  readonly conditions: readonly Condition[]
} {
  const all = (...conditions: readonly Condition[]) => ({ join: 'all' as const, conditions })
  switch (relation) {
    case 't_after':
      return all(is('start1', '>', 'end2'))
    case 't_before':
      return all(is('end1', '<', 'start2'))
    case 't_contains':
      return all(is('start1', '<', 'start2'), is('end1', '>', 'end2'))
    case 't_disjoint':
      return { join: 'any', conditions: [is('end1', '<', 'start2'), is('start1', '>', 'end2')] }
    case 't_during':
      return all(is('start1', '>', 'start2'), is('end1', '<', 'end2'))
    case 't_equals':
      return all(is('start1', '=', 'start2'), is('end1', '=', 'end2'))
    case 't_finishedby':
      return all(is('start1', '<', 'start2'), is('end1', '=', 'end2'))
    case 't_finishes':
      return all(is('start1', '>', 'start2'), is('end1', '=', 'end2'))
    case 't_intersects':
      return all(is('start1', '<=', 'end2'), is('end1', '>=', 'start2'))
    case 't_meets':
      return all(is('end1', '=', 'start2'))
    case 't_metby':
      return all(is('start1', '=', 'end2'))
    case 't_overlappedby':
      return all(is('start1', '>', 'start2'), is('start1', '<', 'end2'), is('end1', '>', 'end2'))
    case 't_overlaps':
      return all(is('start1', '<', 'start2'), is('end1', '>', 'start2'), is('end1', '<', 'end2'))
    case 't_startedby':
      return all(is('start1', '=', 'start2'), is('end1', '>', 'end2'))
    case 't_starts':
      return all(is('start1', '=', 'start2'), is('end1', '<', 'end2'))
  }
}
