import type { Chip } from '../filters/chip.ts'
import type { Bounds } from '../filters/triplet.ts'

export interface MapView {
  readonly lng: number
  readonly lat: number
  readonly zoom: number
}

export const figures = ['avg', 'min', 'max', 'sum', 'cardinality'] as const
export type Figure = (typeof figures)[number]

/** What widgets show of documents: how many there are, or a figure of a field. */
export interface Metric {
  readonly fct: Figure
  readonly field: string
}

export const mapModes = ['auto', 'cells', 'documents'] as const
export type MapMode = (typeof mapModes)[number]

/** Everything a link to the page carries. What is absent is chosen by the page. */
export interface ExplorerState {
  readonly collection?: string
  readonly chips: readonly Chip[]
  readonly view?: MapView
  readonly mode: MapMode
  /** Absent: the number of documents. */
  readonly metric?: Metric
  readonly rankings?: readonly string[]
  readonly histograms?: readonly string[]
  /** The part of time the timeline shows. */
  readonly span?: Bounds
  readonly list: boolean
  readonly columns?: readonly string[]
  readonly sort?: string
  /** The document whose details are shown. */
  readonly document?: string
}

export const initialState: ExplorerState = { chips: [], mode: 'auto', list: false }
