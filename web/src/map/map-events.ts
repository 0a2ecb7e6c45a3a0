import type { MapView } from '../state/explorer-state.ts'
import type { ScaleClass, Theme } from './colour-scale.ts'
import type { HitSummary } from './hit-summary.ts'
import type { ViewSummary } from './view-summary.ts'

/** Tile URLs of a map, and the properties used for colouring. */
export interface MapData {
  readonly cells: { readonly tiles: string; readonly property: string }
  readonly hits: { readonly tiles: string; readonly property: string | undefined }
}

export interface MapEvents {
  /** The map stopped moving. */
  readonly onView: (view: MapView) => void
  /** The tiles in view are loaded. */
  readonly onSummary: (summary: ViewSummary) => void
  /** Different documents are drawn. */
  readonly onHits: (hits: HitSummary) => void
  readonly onPoint: (picked: Picked | undefined) => void
  readonly onPick: (picked: Picked | undefined) => void
  /** Tiles failed to load; undefined when they load again. */
  readonly onFault: (message: string | undefined) => void
}

/** The element under the pointer. */
export interface Picked {
  readonly kind: 'cell' | 'document'
  readonly properties: Readonly<Record<string, unknown>>
  readonly x: number
  readonly y: number
}

export interface DataLook {
  readonly theme: Theme
  readonly cells: { readonly property: string; readonly classes: readonly ScaleClass[] }
  readonly hits?: { readonly property: string; readonly classes: readonly ScaleClass[] }
}
