import type { Metric } from '../../model/aggregation.ts'
import { type AggregationDraft, foldWord } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'

const collectFunctions = ['avg', 'cardinality', 'max', 'min', 'sum', 'geobbox', 'geocentroid'] as const
export type CollectFunction = (typeof collectFunctions)[number]

export const isGeoFunction = (fct: CollectFunction): boolean => fct === 'geobbox' || fct === 'geocentroid'

export interface ParsedCouple {
  readonly fct: CollectFunction
  readonly path: string
}

/** Rule V12. `pathOf` returns the path of a name; without a name, the default path of geobbox and geocentroid. */
export function readCouples(
  { metrics, position }: AggregationDraft,
  pathOf: (name: string | undefined) => string,
): readonly ParsedCouple[] {
  const known = new Set<string>()
  return metrics.map((metric) => {
    const fault = (part: keyof Metric, reason: string): Error =>
      aggregationFault(position, part, reason, written(metric))
    const { collect_field: name, collect_fct: word } = metric
    if (word === undefined) throw fault('collect_fct', 'must be given for every collect_field')
    const fct = collectFunctions.find((f) => f === foldWord(word))
    if (fct === undefined) throw fault('collect_fct', `must be one of ${collectFunctions.join(', ')}`)
    if (name === undefined && !isGeoFunction(fct)) throw fault('collect_field', `must be given for ${fct}`)
    const couple = { fct, path: pathOf(name) }
    const key = `${couple.fct} ${couple.path}`
    if (known.has(key)) throw fault('collect_fct', 'must not be given twice for the same field')
    known.add(key)
    return couple
  })
}

const written = ({ collect_field: name, collect_fct: fct }: Metric): string =>
  [...(name === undefined ? [] : [`collect_field ${name}`]), ...(fct === undefined ? [] : [`collect_fct ${fct}`])].join(
    ', ',
  )
