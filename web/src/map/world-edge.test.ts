import { expect, test } from 'vitest'
import { holdToWorld } from './world-edge.ts'

const phone = { width: 390, height: 640 }
const desk = { width: 960, height: 600 }

test('a phone can be zoomed out until it shows the whole world', () => {
  const { zoom } = holdToWorld({ lat: 0, zoom: -2 }, phone)
  expect(512 * 2 ** zoom).toBeCloseTo(390)
})

test('a map that is wider than tall stays covered', () => {
  const { zoom, lat } = holdToWorld({ lat: 40, zoom: -2 }, desk)
  expect(512 * 2 ** zoom).toBeCloseTo(600)
  expect(lat).toBeCloseTo(0)
})

test('a view inside the world stays as it is', () => {
  expect(holdToWorld({ lat: 61.3, zoom: 4.5 }, desk)).toEqual({ lat: 61.3, zoom: 4.5 })
  expect(holdToWorld({ lat: 20, zoom: -0.2 }, phone)).toEqual({ lat: 20, zoom: -0.2 })
})

test('nothing beyond the poles is shown while there is enough of the world', () => {
  const { lat } = holdToWorld({ lat: 89, zoom: 2 }, desk)
  const top = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2 - 300 / (512 * 4)
  expect(top).toBeCloseTo(0)
})
