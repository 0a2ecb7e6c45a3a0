import type { MapView } from '../state/explorer-state.ts'
import type { ScaleClass, Theme } from './colour-scale.ts'
import type { HitSummary } from './hit-summary.ts'
import type { ViewSummary } from './view-summary.ts'

/** What a map shows: the addresses of its tiles, and the properties in them that are coloured by. */
export interface MapData {
  readonly cells: { readonly tiles: string; readonly property: string }
  readonly hits: { readonly tiles: string; readonly property: string | undefined }
}

export interface MapEvents {
  /** The map came to rest. */
  readonly onView: (view: MapView) => void
  /** Tiles of what is in view have come. */
  readonly onSummary: (summary: ViewSummary) => void
  /** Documents are drawn, others than before. */
  readonly onHits: (hits: HitSummary) => void
  readonly onPoint: (picked: Picked | undefined) => void
  readonly onPick: (picked: Picked | undefined) => void
  /** Tiles could not be had; undefined when they could again. */
  readonly onFault: (message: string | undefined) => void
}

/** What a pointer is over. */
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
