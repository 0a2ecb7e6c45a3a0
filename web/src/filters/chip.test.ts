import { describe, expect, test } from 'vitest'
import {
  chip,
  chosenValues,
  filterParameters,
  negateChip,
  rangeOf,
  setRange,
  toggleValue,
  withoutChoice,
  withoutRange,
} from './chip.ts'

const texts = (chips: readonly { readonly text: string }[]): readonly string[] => chips.map(({ text }) => text)

describe('ranges', () => {
  test('a new range takes the place of the one before', () => {
    const first = setRange([chip('a:eq:1'), chip('b:eq:2')], 'mag', { from: 1, to: 2 })
    const second = setRange([...first, chip('c:eq:3')], 'mag', { from: 3, to: 4 })
    expect(texts(second)).toEqual(['a:eq:1', 'b:eq:2', 'mag:range:[3<4[', 'c:eq:3'])
    expect(rangeOf(second, 'mag')).toEqual({ from: 3, to: 4 })
    expect(texts(setRange(second, 'mag', undefined))).toEqual(['a:eq:1', 'b:eq:2', 'c:eq:3'])
  })

  test('a chip with several conditions is not taken for one', () => {
    const chips = [chip('mag:range:[1<2];depth:gt:3')]
    expect(rangeOf(chips, 'mag')).toBeUndefined()
    expect(withoutRange(chips, 'mag')).toEqual(chips)
  })
})

describe('values', () => {
  test('are chosen one after the other, and given back', () => {
    const one = toggleValue([], 'region', 'CA')
    const two = toggleValue(one, 'region', 'Nevada, north')
    expect(texts(two)).toEqual(['region:eq:CA,Nevada\\, north'])
    expect(chosenValues(two, 'region')).toEqual(['CA', 'Nevada, north'])
    expect(texts(toggleValue(two, 'region', 'CA'))).toEqual(['region:eq:Nevada\\, north'])
    expect(toggleValue(one, 'region', 'CA')).toEqual([])
    expect(withoutChoice(two, 'region')).toEqual([])
  })
})

test('what is off is not asked for', () => {
  expect(filterParameters([chip('a:eq:1'), { ...chip('b:eq:2'), off: true }, chip('rain', 'q')])).toEqual([
    ['f', 'a:eq:1'],
    ['q', 'rain'],
  ])
})

test.each([
  ['rain', '-rain'],
  ['place:alaska', 'place:-alaska'],
  ['heavy rain', '-(heavy rain)'],
])('full text %s and its negation', (text, opposite) => {
  expect(negateChip(chip(text, 'q'))?.text).toBe(opposite)
  expect(negateChip(chip(opposite, 'q'))?.text).toBe(text)
})
