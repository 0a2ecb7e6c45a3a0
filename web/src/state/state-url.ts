import type { Chip } from '../filters/chip.ts'
import type { Bounds } from '../filters/triplet.ts'
import {
  type ExplorerState,
  type Figure,
  figures,
  initialState,
  type MapMode,
  type MapView,
  type Metric,
  mapModes,
} from './explorer-state.ts'

/** Characters that need no escaping after `#`; kept for readable links. */
const PLAIN = /%(3A|2C|3B|5B|5D|2F|24|40|28|29|21|2A|7C)/g

const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(PLAIN, (sign) => decodeURIComponent(sign))

/** Prints the state as URL fragment. */
export function printState(state: ExplorerState): string {
  if (state.collection === undefined) return ''
  const { view, metric, span } = state
  const pairs: (readonly [string, string] | undefined)[] = [
    ...state.chips.map(({ kind, text, off }) => [off ? `off-${kind}` : kind, text] as const),
    view === undefined ? undefined : ['map', `${round(view.lat, 5)},${round(view.lng, 5)},${round(view.zoom, 2)}`],
    state.mode === 'auto' ? undefined : ['show', state.mode],
    metric === undefined ? undefined : ['metric', `${metric.fct}:${metric.field}`],
    list('rank', state.rankings),
    list('numbers', state.histograms),
    span === undefined ? undefined : ['span', `${span.from},${span.to}`],
    state.list ? ['list', 'open'] : undefined,
    state.live === true ? ['live', 'on'] : undefined,
    list('columns', state.columns),
    state.sort === undefined ? undefined : ['sort', state.sort],
    state.document === undefined ? undefined : ['document', state.document],
  ]
  const query = pairs.filter((pair) => pair !== undefined).map(([name, value]) => `${name}=${encode(value)}`)
  return `/${encode(state.collection).replaceAll('/', '%2F')}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** Parses a URL fragment; ignores invalid parts, so that a broken link still opens the page. */
export function parseState(hash: string): ExplorerState {
  const text = hash.replace(/^#/, '')
  const mark = text.indexOf('?')
  const path = (mark < 0 ? text : text.slice(0, mark)).replace(/^\//, '')
  const pairs = (mark < 0 ? '' : text.slice(mark + 1)).split('&').flatMap(readPair)
  const one = (name: string): string | undefined => pairs.find(([key]) => key === name)?.[1]
  const collection = decode(path)
  if (collection === undefined || collection === '') return initialState
  return {
    collection,
    chips: pairs.flatMap(readChip),
    ...present('view', readView(one('map'))),
    mode: readMode(one('show')),
    ...present('metric', readMetric(one('metric'))),
    ...present('rankings', readList(one('rank'))),
    ...present('histograms', readList(one('numbers'))),
    ...present('span', readSpan(one('span'))),
    list: one('list') === 'open',
    ...present('live', one('live') === 'on' ? (true as const) : undefined),
    ...present('columns', readList(one('columns'))),
    ...present('sort', one('sort')),
    ...present('document', one('document')),
  }
}

const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)))

const list = (name: string, items: readonly string[] | undefined): readonly [string, string] | undefined =>
  items === undefined ? undefined : [name, items.join(',')]

function present<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: T })
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readPair(pair: string): readonly (readonly [string, string])[] {
  const at = pair.indexOf('=')
  const value = at < 1 ? undefined : decode(pair.slice(at + 1))
  return value === undefined ? [] : [[pair.slice(0, at), value]]
}

function readChip([name, text]: readonly [string, string]): readonly Chip[] {
  const kind = name.replace(/^off-/, '')
  if ((kind !== 'f' && kind !== 'q') || text.trim() === '') return []
  return [{ kind, text, off: name.startsWith('off-') }]
}

function readNumbers(text: string | undefined, count: number): readonly number[] | undefined {
  const numbers = text?.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return numbers?.length === count && numbers.every(Number.isFinite) ? numbers : undefined
}

function readView(text: string | undefined): MapView | undefined {
  const [lat = 91, lng = 0, zoom = 0] = readNumbers(text, 3) ?? []
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 360 && zoom >= -2 && zoom <= 22 ? { lat, lng, zoom } : undefined
}

function readSpan(text: string | undefined): Bounds | undefined {
  const [from = 0, to = 0] = readNumbers(text, 2) ?? []
  return from < to ? { from, to } : undefined
}

const readMode = (text: string | undefined): MapMode => mapModes.find((mode) => mode === text) ?? 'auto'

function readMetric(text: string | undefined): Metric | undefined {
  const [name = '', ...rest] = text?.split(':') ?? []
  const fct: Figure | undefined = figures.find((figure) => figure === name)
  const field = rest.join(':')
  return fct === undefined || field === '' ? undefined : { fct, field }
}

const readList = (text: string | undefined): readonly string[] | undefined =>
  text?.split(',').filter((item) => item !== '')
