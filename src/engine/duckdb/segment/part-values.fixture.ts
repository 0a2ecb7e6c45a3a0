import { tileKeyRange } from '../../../geo/grid/morton-key.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape, shapeBounds, shapeOfAll } from '../../../geo/shape/shape.ts'
import { encodeShape } from '../../../geo/shape/wkb.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'
import { rawAt, readStoredValues, valuesAt } from '../../../query/value/stored-value.ts'
import type { FieldLayout } from '../index/table-layout.ts'
import { type Column, LOW_BITS, NO_KEY, type Points, VALUE_START } from './column.ts'
import type { Part } from './part.ts'

/** The values of a field in a row, in a form that can be compared. */
export function valuesOfRow(part: Part, field: FieldLayout, row: number): readonly unknown[] {
  const column = part.column(field)
  return column === undefined ? [] : columnValues(column, row)
}

function columnValues(column: Column, row: number): readonly unknown[] {
  switch (column.kind) {
    case 'code': {
      const codes = [...column.codes.subarray(...positions(column, row))]
      return codes.filter((code) => code !== 0).map((code) => column.dictionary.term(code))
    }
    case 'number': {
      const { packing } = column
      const values = [...column.values.subarray(...positions(column, row))]
      if (packing === undefined) return values.filter((value) => !Number.isNaN(value))
      return values.filter((value) => value !== 0).map((stored) => packing.base + (stored - 1) * packing.step)
    }
    case 'point': {
      const [from, to] = positions(column, row)
      return Array.from({ length: to - from }, (_, i) => from + i).flatMap((at) => pointAt(column, at))
    }
    case 'shape': {
      const { west, south, east, north, wkb, wkbStarts } = column
      const bytes = Buffer.from(wkb.subarray(wkbStarts[row], wkbStarts[row + 1])).toString('hex')
      const box = [west[row], south[row], east[row], north[row]]
      if (column.high[row] === NO_KEY) return bytes === '' && box.every(Number.isNaN) ? [] : ['no key']
      return [bytes, ...box, ...pointAt(column, row)]
    }
    case 'text': {
      const values: string[][] = []
      for (const token of column.tokens.subarray(column.starts[row], column.starts[row + 1])) {
        if (token === VALUE_START) values.push([])
        else values.at(-1)?.push(column.dictionary.term(token))
      }
      return values
    }
  }
}

const positions = ({ starts }: { readonly starts?: Uint32Array }, row: number): [number, number] =>
  starts === undefined ? [row, row + 1] : [starts[row] ?? 0, starts[row + 1] ?? 0]

const pointAt = ({ lon, lat, high, low }: Points, at: number): readonly unknown[] =>
  high[at] === NO_KEY ? [] : [[lon[at], lat[at], high[at], low[at]]]

/** The values of a field in a document, in the same form. */
export function valuesOfDocument(field: FieldLayout, document: JsonObject): readonly unknown[] {
  const raw = rawAt(document, field.path)
  if (raw === undefined) return []
  switch (field.type) {
    case 'TEXT':
      return valuesAt(document, field.path).map((value) => tokenize(String(value)))
    case 'GEO_POINT':
      return pointValues(raw).map(([lon = 0, lat = 0]) => [lon, lat, ...keyOf(lon, lat)])
    case 'GEO_SHAPE':
      return shapeParts(raw)
    default: {
      const values = readStoredValues({ ...field, indexed: true, nested: false }, raw)
      return values.map((value) => (typeof value === 'string' ? value.toWellFormed() : Number(value)))
    }
  }
}

function keyOf(lon: number, lat: number): readonly number[] {
  const { x, y } = tileOf(lon, lat, 29)
  const { first } = tileKeyRange(29, x, y)
  return [Number(first / 2n ** BigInt(LOW_BITS)), Number(first % 2n ** BigInt(LOW_BITS))]
}

function shapeParts(raw: Json): readonly unknown[] {
  const shapes = shapeValues(raw).flatMap((geometry) => normaliseShape(geometry) ?? [])
  if (shapes.length === 0) return []
  const [only] = shapes
  const shape = shapes.length === 1 && only ? only : shapeOfAll(shapes)
  const { west, south, east, north } = shapeBounds(shape)
  const [lon = 0, lat = 0] = planarCentroid(shape)
  return [Buffer.from(encodeShape(shape)).toString('hex'), west, south, east, north, [lon, lat, ...keyOf(lon, lat)]]
}
