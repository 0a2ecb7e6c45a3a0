import { expect, test } from 'vitest'
import { type OverviewPlan, readOverview } from './overview.ts'

const plan: OverviewPlan = { path: '', numbers: ['mag', 'flat', 'none'], keywords: ['region', 'id', 'kind'] }
const figure = (value?: number) => ({ type: 'min', field: 'x', ...(value === undefined ? {} : { value }) })
const bucket = (...values: readonly (number | undefined)[]) => ({ count: 1, key: 0, metrics: values.map(figure) })

const overview = readOverview(plan, 'time', {
  totalnb: 2,
  elements: [
    bucket(100, 200, 1, 5, 7, 7, undefined, undefined, 40, 90_000, 2),
    bucket(),
    bucket(300, 400, -2, 3, 7, 7, undefined, undefined, 60, 80_000, 1),
  ],
})

test('years are put together', () => {
  expect(overview.time).toEqual({ from: 100, to: 400 })
  expect([...overview.numbers]).toEqual([
    ['mag', { from: -2, to: 5 }],
    ['flat', { from: 7, to: 7 }],
  ])
  expect([...overview.distinct]).toEqual([
    ['region', 60],
    ['id', 90_000],
    ['kind', 2],
  ])
})
