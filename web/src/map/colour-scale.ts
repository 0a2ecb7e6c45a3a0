import type { ExpressionSpecification } from 'maplibre-gl'
import { type Classing, classBreaks } from './class-breaks.ts'

/**
 * Sequential colours from low to high. Lightness changes in one direction only and the hue runs from blue over green to
 * yellow, so that the classes differ without red-green vision. High values stand out: bright on a dark map, dark on a
 * light one.
 */
export const scales = {
  dark: ['#3a3f7d', '#34628f', '#2a8391', '#35a383', '#74c069', '#bcd853', '#f9ea72'],
  light: ['#a9d6a2', '#74c09a', '#46a695', '#2f8a8f', '#2e6b88', '#344c7a', '#312b5f'],
} as const

export type Theme = keyof typeof scales

export interface Domain {
  readonly min: number
  readonly max: number
}

export interface ScaleClass {
  /** Lower bound of the class. */
  readonly from: number
  readonly colour: string
}

/** Returns classes of counts with equal ratios, since counts of cells differ by powers of ten. */
export function countClasses({ max }: Domain, theme: Theme): readonly ScaleClass[] {
  const { length } = scales[theme]
  const starts = Array.from({ length }, (_, i) => Math.max(1, Math.round(max ** (i / length))))
  return spread([...new Set(starts)], theme)
}

/** Returns classes of the sorted values of a field or a metric. */
export const figureClasses = (sorted: readonly number[], theme: Theme, classing: Classing): readonly ScaleClass[] =>
  spread(classBreaks(sorted, scales[theme].length, classing), theme)

/** Spreads the colours over the whole scale if there are few classes. */
function spread(starts: readonly number[], theme: Theme): readonly ScaleClass[] {
  const colours = scales[theme]
  return starts.map((from, i) => {
    const at =
      starts.length === 1
        ? Math.floor(colours.length / 2)
        : Math.round((i * (colours.length - 1)) / (starts.length - 1))
    return { from, colour: colours[at] ?? '' }
  })
}

/** Colour of a missing value, distinct from the lowest class. */
const UNKNOWN = '#888888'

/** Returns a step expression of a map style. */
export function stepExpression(property: string, classes: readonly ScaleClass[]): ExpressionSpecification {
  const [first, ...rest] = classes
  const lowest = first?.colour ?? UNKNOWN
  const value: ExpressionSpecification = ['get', property]
  const colour: ExpressionSpecification | string =
    rest.length === 0 ? lowest : ['step', value, lowest, ...rest.flatMap(({ from, colour }) => [from, colour])]
  return ['case', ['==', ['typeof', value], 'number'], colour, UNKNOWN]
}
