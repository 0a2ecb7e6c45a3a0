import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ExplorerState, figures, initialState, mapModes } from './explorer-state.ts'
import { parseState, printState } from './state-url.ts'

const path = fc.stringMatching(/^[a-z_]+(\.[a-z]+)?$/)
const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.trim() !== '' && value.isWellFormed())
const paths = fc.array(path, { maxLength: 4 })
const bounds = fc
  .tuple(fc.integer(), fc.integer())
  .filter(([a, b]) => a < b)
  .map(([from, to]) => ({ from, to }))
const digits = (min: number, max: number, scale: number) =>
  fc.integer({ min: min * scale, max: max * scale }).map((n) => n / scale)

const states = fc.record(
  {
    collection: text,
    chips: fc.array(fc.record({ kind: fc.constantFrom('f' as const, 'q' as const), text, off: fc.boolean() }), {
      maxLength: 5,
    }),
    view: fc.record({ lat: digits(-85, 85, 1000), lng: digits(-180, 180, 1000), zoom: digits(-2, 22, 100) }),
    mode: fc.constantFrom(...mapModes),
    metric: fc.record({ fct: fc.constantFrom(...figures), field: path }),
    rankings: paths,
    histograms: paths,
    span: bounds,
    list: fc.boolean(),
    live: fc.constant(true as const),
    columns: paths,
    sort: path,
    document: text,
  },
  { requiredKeys: ['collection', 'chips', 'mode', 'list'] },
)

describe('the state in the address', () => {
  test('is read back as it was', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(parseState(`#${printState(state)}`)).toEqual(state)
      }),
    )
  })

  test('is short and readable', () => {
    const state: ExplorerState = {
      ...initialState,
      collection: 'earthquakes',
      chips: [
        { kind: 'f', text: 'mag:range:[4<6]', off: false },
        { kind: 'q', text: 'alaska', off: true },
      ],
      view: { lng: -150.12345678, lat: 61, zoom: 4.5 },
    }
    expect(printState(state)).toBe('/earthquakes?f=mag:range:[4%3C6]&off-q=alaska&map=61,-150.12346,4.5')
  })

  test('of nothing chosen is empty', () => {
    expect(printState(initialState)).toBe('')
    expect(parseState('')).toEqual(initialState)
  })

  test('forgives what makes no sense', () => {
    const hash = '#/quakes?map=1,2&show=all&metric=best:mag&span=9,1&f=&x=1&q=%E0%A4%A&sort=-mag'
    expect(parseState(hash)).toEqual({ ...initialState, collection: 'quakes', sort: '-mag' })
    expect(parseState('#/%E0%A4%A')).toEqual(initialState)
  })
})
