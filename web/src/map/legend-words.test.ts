import { expect, test } from 'vitest'
import { figures } from '../state/explorer-state.ts'
import { noteOf, scaleTitle } from './legend-words.ts'

const cells = { documents: 998_567, cells: 1_200, values: [] }
const nameOf = (path: string): string => path.toUpperCase()

test('documents are said to be all there only when they are', () => {
  expect(noteOf('documents', cells, { isWhole: true, values: [] })).toBe(' · each one shown')
  expect(noteOf('documents', cells, { isWhole: false, values: [] })).toBe(' · only a part shown')
  expect(noteOf('documents', cells, undefined)).toBe('')
  expect(noteOf('documents', { documents: 0, cells: 0, values: [] }, { isWhole: true, values: [] })).toBe('')
  expect(noteOf('cells', cells, { isWhole: false, values: [] })).toBe(' · 1,200 cells')
})

test('cells are coloured by a figure, documents by the field it is of', () => {
  for (const fct of figures) expect(scaleTitle('cells', { fct, field: 'mag' }, nameOf)).toBe(`${fct} of MAG`)
  for (const fct of ['avg', 'min', 'max', 'sum'] as const)
    expect(scaleTitle('documents', { fct, field: 'mag' }, nameOf)).toBe('MAG')
})

test('what no single document has gives documents no scale', () => {
  expect(scaleTitle('cells', undefined, nameOf)).toBe('Documents per cell')
  expect(scaleTitle('documents', undefined, nameOf)).toBeUndefined()
  expect(scaleTitle('documents', { fct: 'cardinality', field: 'mag' }, nameOf)).toBeUndefined()
})
