/** Parts of the charts: a logarithmic axis and a few SVG elements. */

export interface LogScale {
  readonly at: (value: number) => number
  /** 1, 2 and 5 in every decade, or only 1 if there are many decades. */
  readonly ticks: readonly number[]
}

/** Maps `low` to `high` onto `left` to `right`. */
export function logScale(low: number, high: number, left: number, right: number): LogScale {
  const from = Math.log10(low)
  const width = Math.log10(high) - from
  const steps = width > 3 ? [1] : [1, 2, 5]
  const decades = Array.from({ length: Math.ceil(width) + 2 }, (_, n) => Math.floor(from) + n)
  return {
    at: (value) => left + ((Math.log10(value) - from) / width) * (right - left),
    ticks: decades
      .flatMap((decade) => steps.map((step) => Number((step * 10 ** decade).toPrecision(1))))
      .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001),
  }
}

export const INK = '#222222'
export const FAINT = '#666666'
export const GRID = '#dddddd'

/** Colours that colour-blind readers can distinguish (Okabe and Ito, 2008). */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const rounded = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : escaped(value)

export function element(name: string, attributes: Readonly<Record<string, string | number>>, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${rounded(value)}"`)
  return `<${name}${written.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`
}

interface Written {
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly size?: number
  readonly colour?: string
  readonly weight?: 'bold'
}

/** Text whose middle line is at `y`. */
export const label = (x: number, y: number, text: string, { anchor, size, colour, weight }: Written = {}): string =>
  element(
    'text',
    {
      x,
      // Not every program that draws SVG knows `dominant-baseline`.
      y: y + (size ?? 12) * 0.35,
      'text-anchor': anchor ?? 'start',
      'font-size': size ?? 12,
      fill: colour ?? INK,
      ...(weight === undefined ? {} : { 'font-weight': weight }),
    },
    escaped(text),
  )

export const line = (x1: number, y1: number, x2: number, y2: number, colour: string, width = 1): string =>
  element('line', { x1, y1, x2, y2, stroke: colour, 'stroke-width': width })

/** Marks of different shape, because colours alone are not enough. */
export function mark(kind: number, x: number, y: number): string {
  const fill = COLOURS[kind % COLOURS.length] ?? INK
  const r = 4.5
  const outlined = { fill, stroke: '#ffffff', 'stroke-width': 1 }
  if (kind % 4 === 0) return element('circle', { cx: x, cy: y, r, ...outlined })
  if (kind % 4 === 1) return element('rect', { x: x - 4, y: y - 4, width: 8, height: 8, ...outlined })
  const corners: readonly (readonly [number, number])[] =
    kind % 4 === 2
      ? [
          [0, -5.5],
          [5.5, 0],
          [0, 5.5],
          [-5.5, 0],
        ]
      : [
          [0, -5],
          [5, 4],
          [-5, 4],
        ]
  return element('polygon', { points: corners.map(([dx, dy]) => `${x + dx},${y + dy}`).join(' '), ...outlined })
}

/** Vertical lines with their values above them. */
export const axis = (scale: LogScale, top: number, bottom: number, print: (value: number) => string): string =>
  scale.ticks
    .map(
      (tick) =>
        line(scale.at(tick), top, scale.at(tick), bottom, GRID) +
        label(scale.at(tick), top - 10, print(tick), { anchor: 'middle', size: 11, colour: FAINT }),
    )
    .join('')

/** A whole image; only generic fonts, so that it looks alike everywhere. */
export function image(width: number, height: number, title: string, parts: readonly string[]): string {
  const opened = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'font-family': 'Helvetica, Arial, sans-serif',
  }
  const background = element('rect', { width, height, fill: '#ffffff' })
  return `${element('svg', opened, [element('title', {}, escaped(title)), background, ...parts].join('\n'))}\n`
}

/** Approximate width of a text in a sans-serif font, because nothing here can measure it. */
export const textWidth = (text: string, size = 12): number => text.length * size * 0.55
