import { describe, expect, test } from 'vitest'
import { countClasses, figureClasses, scales, stepExpression, type Theme } from './colour-scale.ts'

const channels = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** Relative luminance of sRGB (WCAG 2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Simulates a colour as seen without red receptors (Viénot, Brettel and Mollon 1999, in linear light). */
function withoutRed(colour: string): readonly number[] {
  const [r = 0, g = 0, b = 0] = channels(colour).map((value) => (value / 255) ** 2.2)
  return [0.11238 * r + 0.88762 * g, 0.11238 * r + 0.88762 * g, 0.00401 * r - 0.00401 * g + b]
}

describe.each(Object.keys(scales) as Theme[])('the %s scale', (theme) => {
  test('goes one way in lightness, in steps that can be seen', () => {
    const lights = scales[theme].map(luminance)
    const ratios = lights.slice(1).map((light, i) => (light + 0.05) / ((lights[i] ?? 0) + 0.05))
    for (const ratio of ratios) expect(theme === 'dark' ? ratio : 1 / ratio).toBeGreaterThan(1.15)
  })

  test('keeps its colours apart for who does not see red', () => {
    const seen = scales[theme].map(withoutRed)
    for (const [i, one] of seen.entries()) {
      for (const other of seen.slice(i + 1)) {
        expect(Math.hypot(...one.map((value, k) => value - (other[k] ?? 0)))).toBeGreaterThan(0.04)
      }
    }
  })
})

describe('classes', () => {
  test('of counts begin at one and rise', () => {
    for (const max of [1, 2, 3, 10, 1_000, 5_000_000]) {
      const starts = countClasses({ min: 1, max }, 'dark').map(({ from }) => from)
      expect(starts[0]).toBe(1)
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
      expect(starts.at(-1)).toBeLessThanOrEqual(max)
    }
  })

  test('of figures use the whole scale, however few they are', () => {
    const colours = (values: readonly number[]) =>
      figureClasses(values, 'light', 'quantile').map(({ colour }) => colour)
    expect(colours([0, 1, 2, 3, 4, 5, 6])).toEqual(scales.light)
    expect(colours([0, 1])).toEqual([scales.light[0], scales.light[6]])
    expect(colours([3, 3])).toHaveLength(1)
  })

  test('become a step expression', () => {
    const hasValue = ['==', ['typeof', ['get', 'mag']], 'number']
    expect(stepExpression('mag', [{ from: 1, colour: '#000000' }])).toEqual(['case', hasValue, '#000000', '#888888'])
    const [low, high] = ['#000000', '#ffffff']
    const classes = [
      { from: 1, colour: low },
      { from: 2, colour: high },
    ]
    const step = ['step', ['get', 'mag'], low, 2, high]
    expect(stepExpression('mag', classes)).toEqual(['case', hasValue, step, '#888888'])
  })
})
