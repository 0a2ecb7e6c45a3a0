import type { Position } from '../../../model/geometry.ts'
import type { Json } from '../../../model/json/document.ts'
import type { Row } from '../../row.ts'
import type { Input } from '../../source/open-input.ts'
import { chooseLayer } from '../shared/layer.ts'
import type { Reading, ReadOptions } from '../shared/reading.ts'
import { parseXml, type XmlHandler } from './xml-events.ts'

/**
 * Rows of a GPX 1.0 or 1.1 file. The layer `points`, which is the default, has every waypoint, route point and track
 * point with its time; the layer `tracks` has every track and route as a line.
 */
export async function readGpx(input: Input, { layer }: ReadOptions): Promise<Reading> {
  const { chosen, notes } = chooseLayer(['points', 'tracks'], layer, input.name)
  return { rows: rowsOf(input, chosen === 'points'), notes }
}

async function* rowsOf(input: Input, wantsPoints: boolean): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = new GpxReader(wantsPoints)
  for await (const _ of parseXml(input.chunks, input.name, reader)) {
    const rows = reader.take()
    if (rows.length > 0) yield rows
  }
}

const KINDS: Readonly<Record<string, string>> = { wpt: 'waypoint', rtept: 'route', trkpt: 'track' }
const NUMBERS = new Set([
  'ele',
  'speed',
  'course',
  'hdop',
  'vdop',
  'pdop',
  'sat',
  'hr',
  'cad',
  'atemp',
  'power',
  'magvar',
])
const TEXTS = new Set(['time', 'name', 'desc', 'cmt', 'sym', 'type', 'src'])
const NAMES: Readonly<Record<string, string>> = { ele: 'elevation', desc: 'description', cmt: 'comment' }

interface Path {
  readonly members: Map<string, Json>
  readonly lines: Position[][]
  first?: string
  last?: string
}

class GpxReader implements XmlHandler {
  readonly #wantsPoints: boolean
  #rows: Row[] = []
  #count = 0
  #tracks = 0
  #point: Map<string, Json> | undefined
  #path: Path | undefined

  constructor(wantsPoints: boolean) {
    this.#wantsPoints = wantsPoints
  }

  take(): readonly Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, { lon, lat }: Readonly<Record<string, string>>): void {
    const kind = KINDS[name]
    if (name === 'trk' || name === 'rte') {
      this.#tracks += 1
      this.#path = {
        members: new Map([['kind', name === 'trk' ? 'track' : 'route']]),
        lines: name === 'rte' ? [[]] : [],
      }
    } else if (name === 'trkseg') this.#path?.lines.push([])
    else if (kind !== undefined && lon !== undefined && lat !== undefined) {
      const position = [Number(lon), Number(lat)]
      this.#path?.lines.at(-1)?.push(position)
      this.#point = new Map<string, Json>([['kind', kind]])
      if (this.#path !== undefined) {
        this.#point.set('track_number', this.#tracks)
        if (name === 'trkpt') this.#point.set('segment', this.#path.lines.length)
        const title = this.#path.members.get('name')
        if (title !== undefined) this.#point.set('track', title)
      }
      this.#point.set('geometry', { type: 'Point', coordinates: position })
    }
  }

  close(name: string, text: string): void {
    const point = this.#point
    const path = this.#path
    const value = text.trim()
    if (point !== undefined && KINDS[name] !== undefined) {
      if (this.#wantsPoints) this.#add(point)
      this.#point = undefined
    } else if (name === 'trk' || name === 'rte') {
      if (path !== undefined && !this.#wantsPoints) this.#finish(path)
      this.#path = undefined
    } else if (value !== '' && (NUMBERS.has(name) || TEXTS.has(name))) {
      const number = Number(value)
      const read = NUMBERS.has(name) && Number.isFinite(number) ? number : value
      ;(point ?? path?.members)?.set(NAMES[name] ?? name, read)
      if (point !== undefined && name === 'time' && path !== undefined) {
        path.first ??= value
        path.last = value
      }
    }
  }

  #finish({ members, lines, first, last }: Path): void {
    const drawn = lines.filter((line) => line.length > 1)
    const [only] = drawn
    if (only === undefined) return
    members.set('points', lines.flat().length)
    if (first !== undefined) members.set('time', first)
    if (last !== undefined) members.set('end_time', last)
    const single = drawn.length === 1
    members.set(
      'geometry',
      single ? { type: 'LineString', coordinates: only } : { type: 'MultiLineString', coordinates: drawn },
    )
    this.#add(members)
  }

  #add(members: ReadonlyMap<string, Json>): void {
    this.#count += 1
    this.#rows.push({ line: this.#count, document: Object.fromEntries(members) })
  }
}
