import type { Chip } from '../filters/chip.ts'
import type { Bounds } from '../filters/triplet.ts'

export interface MapView {
  readonly lng: number
  readonly lat: number
  readonly zoom: number
}

export const figures = ['avg', 'min', 'max', 'sum', 'cardinality'] as const
export type Figure = (typeof figures)[number]

/** Value shown by widgets: the document count, or a metric of a field. */
export interface Metric {
  readonly fct: Figure
  readonly field: string
}

export const mapModes = ['auto', 'cells', 'documents'] as const
export type MapMode = (typeof mapModes)[number]

/** State stored in a link. The page chooses defaults for absent members. */
export interface ExplorerState {
  readonly collection?: string
  readonly chips: readonly Chip[]
  readonly view?: MapView
  readonly mode: MapMode
  /** Absent: the document count. */
  readonly metric?: Metric
  readonly rankings?: readonly string[]
  readonly histograms?: readonly string[]
  /** Visible part of the timeline. */
  readonly span?: Bounds
  readonly list: boolean
  /** The page follows the documents as they arrive. */
  readonly live?: true
  readonly columns?: readonly string[]
  readonly sort?: string
  /** Document shown in the details panel. */
  readonly document?: string
}

export const initialState: ExplorerState = { chips: [], mode: 'auto', list: false }
