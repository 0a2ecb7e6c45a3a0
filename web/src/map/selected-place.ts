import { signal } from '@preact/signals'

export interface SelectedPlace {
  readonly geometry?: GeoJSON.Geometry
  /** Whether the map goes there. */
  readonly zoomTo: boolean
}

/** Where the document is that is looked at. */
export const selectedPlace = signal<SelectedPlace>({ zoomTo: false })
