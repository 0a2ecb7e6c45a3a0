import { expect, test } from 'vitest'
import { stepsOf, zoomSpan } from './time-steps.ts'

const time = { from: 0, to: 1_000_000 }

test('zooming in keeps the moment where it is', () => {
  expect(zoomSpan(time, 0.5, 250_000, time)).toEqual({ from: 125_000, to: 625_000 })
})

test('zooming out ends with all of time', () => {
  expect(zoomSpan({ from: 100_000, to: 200_000 }, 2, 150_000, time)).toEqual({ from: 50_000, to: 250_000 })
  expect(zoomSpan({ from: 0, to: 900_000 }, 2, 0, time)).toBeUndefined()
  expect(zoomSpan({ from: 0, to: 300_000 }, 2, 300_000, time)).toEqual({ from: 0, to: 600_000 })
})

test('there is a shortest span', () => {
  expect(zoomSpan({ from: 500_000, to: 510_000 }, 0.5, 505_000, time)).toEqual({ from: 500_000, to: 510_000 })
})

test('all of time reaches from the first bar to the last', () => {
  expect(
    stepsOf({ from: 5, to: 15 }, [
      { from: 0, to: 10 },
      { from: 10, to: 20 },
    ]),
  ).toEqual({ from: 0, to: 20 })
  expect(stepsOf({ from: 5, to: 15 }, [])).toEqual({ from: 5, to: 15 })
})
