import type { Geometry, Position } from '../../../model/geometry.ts'
import type { Json } from '../../../model/json/document.ts'
import type { Row } from '../../row.ts'
import { InputFault } from '../../source/input-fault.ts'
import type { Input } from '../../source/open-input.ts'
import type { Reading } from '../shared/reading.ts'
import { parseXml, type XmlHandler } from './xml-events.ts'

/** Rows of a KML file (OGC 12-007r2): one per placemark, with its extended data, times and geometry. */
export async function readKml(input: Input): Promise<Reading> {
  return { rows: rowsOf(input), notes: [] }
}

async function* rowsOf(input: Input): AsyncGenerator<readonly Row[], void, undefined> {
  const reader = new PlacemarkReader()
  for await (const _ of parseXml(input.chunks, input.name, reader)) {
    const rows = reader.take()
    if (rows.length > 0) yield rows
  }
  if (reader.count === 0 && reader.hasLink) {
    throw new InputFault(`${input.name} has only a link to data elsewhere: download the file its NetworkLink names.`)
  }
}

/** Texts of a placemark that become fields, by element. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  address: 'address',
  phoneNumber: 'phone',
  when: 'timestamp',
  begin: 'begin',
  end: 'end',
}

interface Placemark {
  readonly members: Map<string, Json>
  readonly geometries: Geometry[]
  rings: (readonly Position[])[]
  track: Position[]
  times: string[]
  dataName: string | undefined
}

class PlacemarkReader implements XmlHandler {
  count = 0
  hasLink = false
  #rows: Row[] = []
  #placemark: Placemark | undefined
  readonly #path: string[] = []
  readonly #folders: string[] = []

  take(): readonly Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#path.push(name)
    if (name === 'NetworkLink') this.hasLink = true
    if (name === 'Folder') this.#folders.push('')
    if (name === 'Placemark') {
      this.#placemark = { members: new Map(), geometries: [], rings: [], track: [], times: [], dataName: undefined }
      const { id } = attributes
      if (id !== undefined) this.#placemark.members.set('id', id)
    }
    const placemark = this.#placemark
    if (placemark === undefined) return
    if (name === 'Data' || name === 'SimpleData') placemark.dataName = attributes.name
    if (name === 'Polygon') placemark.rings = []
    if (name === 'Track') {
      placemark.track = []
      placemark.times = []
    }
  }

  close(name: string, text: string): void {
    this.#path.pop()
    const parent = this.#path.at(-1)
    if (name === 'Folder') this.#folders.pop()
    if (name === 'name' && parent === 'Folder') this.#folders[this.#folders.length - 1] = text.trim()
    const placemark = this.#placemark
    if (placemark === undefined) return
    if (name === 'Placemark') this.#finish(placemark)
    else this.#read(placemark, name, parent, text.trim())
  }

  #read(placemark: Placemark, name: string, parent: string | undefined, text: string): void {
    const { members, geometries } = placemark
    const data = placemark.dataName
    if ((name === 'value' && parent === 'Data') || name === 'SimpleData') {
      if (data !== undefined && text !== '') members.set(data, dataOf(text))
    } else if (name === 'when' && parent === 'Track') placemark.times.push(text)
    else if (name === 'coord') {
      const point = readNumbers(text.split(/\s+/))
      if (point !== undefined) placemark.track.push(point)
    } else if (name === 'coordinates') this.#addCoordinates(placemark, parent, readPath(text))
    else if (name === 'Polygon' && placemark.rings.length > 0) {
      geometries.push({ type: 'Polygon', coordinates: placemark.rings })
    } else if (name === 'Track') this.#addTrack(placemark)
    else {
      const field = FIELDS[name]
      const owner = name === 'when' || name === 'begin' || name === 'end' ? 'time' : 'Placemark'
      const isOwn = owner === 'time' ? parent === 'TimeStamp' || parent === 'TimeSpan' : parent === owner
      if (field !== undefined && isOwn && text !== '') members.set(field, text)
    }
  }

  #addCoordinates(placemark: Placemark, parent: string | undefined, path: readonly Position[]): void {
    const [first] = path
    if (first === undefined) return
    if (parent === 'Point') placemark.geometries.push({ type: 'Point', coordinates: first })
    else if (parent === 'LineString') placemark.geometries.push({ type: 'LineString', coordinates: path })
    else if (parent === 'LinearRing') {
      if (this.#path.includes('Polygon')) placemark.rings.push(path)
      else placemark.geometries.push({ type: 'LineString', coordinates: path })
    }
  }

  #addTrack({ track, times, geometries, members }: Placemark): void {
    const [first] = track
    if (first !== undefined && track.length === 1) geometries.push({ type: 'Point', coordinates: first })
    else if (track.length > 1) geometries.push({ type: 'LineString', coordinates: track })
    const [begin] = times
    const end = times.at(-1)
    if (begin !== undefined && end !== undefined) members.set('begin', begin).set('end', end)
  }

  #finish({ members, geometries }: Placemark): void {
    const [only] = geometries
    const folder = this.#folders.filter((name) => name !== '').join('/')
    if (folder !== '') members.set('folder', folder)
    // a document at one moment or over a span has its beginning as timestamp
    const begin = members.get('begin')
    if (!members.has('timestamp') && begin !== undefined) members.set('timestamp', begin)
    if (only !== undefined) {
      members.set('geometry', geometries.length === 1 ? only : { type: 'GeometryCollection', geometries })
    }
    this.count += 1
    this.#rows.push({ line: this.count, document: Object.fromEntries(members) })
    this.#placemark = undefined
  }
}

/** Extended data has no types in most files: plain numbers are read as numbers. */
const dataOf = (text: string): Json => (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text)

function readPath(text: string): readonly Position[] {
  return text.split(/\s+/).flatMap((tuple) => {
    const position = readNumbers(tuple.split(','))
    return position === undefined ? [] : [position]
  })
}

/** Longitude and latitude; the altitude is dropped. */
function readNumbers(parts: readonly string[]): Position | undefined {
  const [lon, lat] = parts.map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return lon !== undefined && lat !== undefined && Number.isFinite(lon) && Number.isFinite(lat) ? [lon, lat] : undefined
}
