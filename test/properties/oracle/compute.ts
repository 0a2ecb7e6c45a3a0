import type { AggregatedDocument } from './aggregated-documents.ts'
import { scalarField } from './fields.ts'
import { figure, type GeoFunction, geoFigure, type NumberFunction } from './metrics.ts'

const hasValue = (path: string, d: AggregatedDocument): boolean => {
  if (path === 'area') return d.boxes.length > 0
  if (path === 'where' || path === 'spot') return d[path].length > 0
  return (scalarField(path)?.values(d) ?? []).length > 0
}

/** Returns the response of `_compute` without its times (spec 5.9); `metric` is in upper case. */
export function expectedFigure(metric: string, field: string, documents: readonly AggregatedDocument[]): unknown {
  const counted = documents.filter((d) => hasValue(field, d))
  const told = { totalnb: counted.length, field, metric }
  if (counted.length === 0) return told
  if (metric.startsWith('GEO')) {
    return { ...told, geometry: geoFigure(metric.toLowerCase() as GeoFunction, field, counted) }
  }
  if (metric !== 'SPANNING') {
    return { ...told, value: figure(metric.toLowerCase() as NumberFunction, field, counted)?.shown }
  }
  const [max = 0, min = 0] = (['max', 'min'] as const).map((fct) => figure(fct, field, counted)?.value)
  return { ...told, value: max - min }
}
