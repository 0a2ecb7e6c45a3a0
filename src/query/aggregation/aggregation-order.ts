import { isGeoFunction, type ParsedCouple } from './aggregation-couples.ts'
import { type AggregationDraft, foldWord } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'
import { isGrid } from './aggregation-geometries.ts'

export interface ParsedOrder {
  readonly on: 'field' | 'count' | 'result'
  readonly descending: boolean
}

const directions = ['asc', 'desc'] as const
const subjects = ['field', 'count', 'result'] as const

/** Rules V13, V14, V15, and the validity of the words. */
export function readOrder(draft: AggregationDraft, couples: readonly ParsedCouple[]): ParsedOrder | undefined {
  const { order, on, type, position } = draft
  if (order === undefined && on === undefined) return undefined
  if (order === undefined) throw aggregationFault(position, 'order', 'is required with on', on)
  if (on === undefined) throw aggregationFault(position, 'on', 'is required with order', order)
  if (isGrid(type)) throw aggregationFault(position, 'order', `must not be given for type ${type}`, order)
  const direction = directions.find((word) => word === foldWord(order))
  if (direction === undefined) throw aggregationFault(position, 'order', `must be ${directions.join(' or ')}`, order)
  const subject = subjects.find((word) => word === foldWord(on))
  if (subject === undefined) throw aggregationFault(position, 'on', `must be one of ${subjects.join(', ')}`, on)
  if (subject === 'result' && !couples.some(({ fct }) => !isGeoFunction(fct))) {
    const reason = 'must not be result without a pair of collect_field and collect_fct that returns a number'
    throw aggregationFault(position, 'on', reason, on)
  }
  return { on: subject, descending: direction === 'desc' }
}
