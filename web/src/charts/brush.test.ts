import { describe, expect, test } from 'vitest'
import { brushFrom, moveDrag, stepBrush } from './brush.ts'

const domain = { from: 0, to: 100 }
const selection = { from: 20, to: 40 }

describe('a pointer', () => {
  test.each([
    [60, 'new', 80, { from: 60, to: 80 }],
    [60, 'new', 50, { from: 50, to: 60 }],
    [21, 'from', 10, { from: 10, to: 40 }],
    [39, 'to', 10, { from: 10, to: 20 }],
    [30, 'move', 35, { from: 25, to: 45 }],
    [30, 'move', 200, { from: 80, to: 100 }],
    [30, 'move', -200, { from: 0, to: 20 }],
  ] as const)('down at %d: %s; at %d: %j', (at, kind, now, bounds) => {
    const drag = brushFrom(at, selection, 2)
    expect(drag.kind).toBe(kind)
    expect(moveDrag(drag, now, domain)).toEqual(bounds)
  })
})

describe('keys', () => {
  const bars = [
    { from: 0, to: 10 },
    { from: 10, to: 20 },
  ]
  test.each([
    ['ArrowRight', false, { from: 30, to: 50 }],
    ['ArrowLeft', false, { from: 10, to: 30 }],
    ['ArrowRight', true, { from: 20, to: 50 }],
    ['ArrowLeft', true, { from: 20, to: 30 }],
    ['Escape', false, undefined],
    ['a', false, 'none'],
  ] as const)('%s, shift %s', (key, shift, result) => {
    expect(stepBrush(key, shift, selection, bars, domain)).toEqual(result)
  })

  test('without a selection begin at the first bar', () => {
    expect(stepBrush('ArrowRight', false, undefined, bars, domain)).toEqual({ from: 0, to: 10 })
    expect(stepBrush('Escape', false, undefined, bars, domain)).toBe('none')
    expect(stepBrush('ArrowRight', false, undefined, [], domain)).toBe('none')
  })
})
