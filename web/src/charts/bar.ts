import type { Bounds } from '../filters/triplet.ts'

export interface Bar {
  readonly from: number
  readonly to: number
  readonly value: number
}

export interface BarChartProps {
  readonly bars: readonly Bar[]
  readonly domain: Bounds
  readonly selection: Bounds | undefined
  readonly height: number
  /** Accessible name of the chart. */
  readonly label: string
  readonly onSelect: (bounds: Bounds | undefined) => void
  readonly formatX: (x: number, step: number) => string
  readonly formatY: (y: number) => string
  readonly formatRange: (bounds: Bounds) => string
  readonly time?: boolean
  readonly onWheel?: (event: WheelEvent, at: number) => void
}
