import { signal } from '@preact/signals'

interface SelectedPlace {
  readonly geometry?: GeoJSON.Geometry
  /** True if the map should move there. */
  readonly zoomTo: boolean
}

/** Location of the open document. */
export const selectedPlace = signal<SelectedPlace>({ zoomTo: false })
