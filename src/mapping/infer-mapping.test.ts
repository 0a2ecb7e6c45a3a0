import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../model/json/document.ts'
import type { MappingField } from '../model/mapping.ts'
import { parseFieldFormat, readFieldDate } from '../query/date/field-date.ts'
import { dateShapes } from './date-shapes.ts'
import { inferMapping } from './infer-mapping.ts'

const infer = (name: string, ...values: Json[]): MappingField | undefined =>
  inferMapping(values.map((value) => ({ [name]: value }))).properties[name]

const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
const sentence = 'A long description that tells a story in many words'

describe('inferMapping', () => {
  it.each<[string, Json[], MappingField | undefined]>([
    ['count', [1, 2], { type: 'long' }],
    ['count', [1, 2.5], { type: 'double' }],
    ['count', [2.5, 1], { type: 'double' }],
    ['big', [1e30], { type: 'double' }],
    ['flag', [true, false], { type: 'boolean' }],
    ['mixed', [true, 1], { type: 'keyword' }],
    ['mixed', [1, 'one'], { type: 'keyword' }],
    ['label', ['red', 'green'], { type: 'keyword' }],
    ['label', [['red', 'green'], 'blue'], { type: 'keyword' }],
    ['place', ['4km W of Castaic, CA'], { type: 'keyword' }],
    ['body', [sentence], { type: 'text' }],
    ['body', ['x'.repeat(257)], { type: 'text' }],
    ['code', ['12', '34'], { type: 'keyword' }],
    ['nothing', [null, [], null], undefined],
    ['some', [null, 3], { type: 'long' }],
  ])('%s of %j', (name, values, expected) => {
    expect(infer(name, ...values)).toEqual(expected)
  })

  it.each<[string, Json[], MappingField]>([
    ['seen', ['2024-05-01'], { type: 'date' }],
    ['seen', ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.123+02:00'], { type: 'date' }],
    ['seen', ['2024-05-01 10:00:00'], { type: 'date', format: 'yyyy-MM-dd HH:mm:ss' }],
    ['seen', ['2024/05/01'], { type: 'date', format: 'yyyy/MM/dd' }],
    ['seen', ['13/05/2024', '01/02/2024'], { type: 'date', format: 'dd/MM/yyyy' }],
    ['seen', ['05/13/2024', '01/02/2024'], { type: 'date', format: 'MM/dd/yyyy' }],
    ['seen', ['01.02.2024'], { type: 'date', format: 'dd.MM.yyyy' }],
    ['seen', ['2024-05-01', '2024/05/01'], { type: 'date', format: 'strict_date_optional_time||yyyy/MM/dd' }],
    ['seen', ['2024-05-01', 'yesterday'], { type: 'keyword' }],
    ['seen', ['2024-02-30'], { type: 'keyword' }],
    ['seen', ['2024'], { type: 'keyword' }],
    ['time', [1517966773840], { type: 'date', format: 'epoch_millis' }],
    ['created_at', [1517966773], { type: 'date', format: 'epoch_second' }],
    ['startDate', [1517966773840, '2024-05-01'], { type: 'date', format: 'strict_date_optional_time||epoch_millis' }],
    ['time', [12, 13], { type: 'long' }],
    ['amount', [1517966773840], { type: 'long' }],
  ])('dates: %s of %j', (name, values, expected) => {
    expect(infer(name, ...values)).toEqual(expected)
  })

  it.each<[string, Json[], MappingField]>([
    ['location', ['48.8,2.3'], { type: 'geo_point' }],
    ['location', [[2.3, 48.8]], { type: 'geo_point' }],
    [
      'location',
      [
        [
          [2.3, 48.8],
          [3, 4],
        ],
      ],
      { type: 'geo_point' },
    ],
    ['location', ['u09tvw0f6'], { type: 'geo_point' }],
    ['location', ['Paris'], { type: 'keyword' }],
    ['location', ['48.8,2.3', 'Paris'], { type: 'keyword' }],
    ['anything', [{ lat: 48.8, lon: 2.3 }], { type: 'geo_point' }],
    ['anything', [{ type: 'Point', coordinates: [2, 48] }], { type: 'geo_point' }],
    ['anything', [{ type: 'Point', coordinates: [2, 48] }, polygon], { type: 'geo_shape' }],
    ['geometry', [{ type: 'Point', coordinates: [2, 48] }], { type: 'geo_shape' }],
    ['anything', ['POINT (2 48)'], { type: 'geo_point' }],
    ['anything', ['POLYGON ((0 0, 1 0, 1 1, 0 0))'], { type: 'geo_shape' }],
    ['anything', [{ type: 'GeometryCollection', geometries: [] }], { type: 'geo_shape' }],
    ['range', [[2.3, 48.8]], { type: 'double' }],
  ])('places: %s of %j', (name, values, expected) => {
    expect(infer(name, ...values)).toEqual(expected)
  })

  it('follows objects, arrays of objects and keys with dots', () => {
    const sample: JsonObject[] = [{ a: { b: 1, c: [{ d: 'x' }, { e: true }] } }, { 'a.f': 1.5, g: {} }]
    expect(inferMapping(sample)).toEqual({
      properties: {
        a: {
          type: 'object',
          properties: {
            b: { type: 'long' },
            c: { type: 'object', properties: { d: { type: 'keyword' }, e: { type: 'boolean' } } },
            f: { type: 'double' },
          },
        },
        g: { type: 'object', properties: {} },
      },
    })
  })

  it('keeps labels that repeat as keywords, however many words they have', () => {
    const sample = Array.from({ length: 200 }, (_, i) => ({ status: i % 2 === 0 ? sentence : `${sentence}, twice` }))
    expect(inferMapping(sample).properties.status).toEqual({ type: 'keyword' })
  })

  it('survives hostile names', () => {
    const document: JsonObject = JSON.parse('{"__proto__":{"x":1},"constructor":"a","":1,"a..b":2}')
    const { properties } = inferMapping([document])
    expect(Object.keys(properties)).toEqual(['__proto__', 'constructor'])
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  it('names only formats that dates can be read with', () => {
    for (const { format } of dateShapes) expect(() => parseFieldFormat(format), format).not.toThrow()
    const read = readFieldDate(parseFieldFormat('EEE, dd MMM yyyy HH:mm:ss Z'), 'Tue, 02 Jan 2024 03:04:05 +0000')
    expect(read?.first).toBe(Date.UTC(2024, 0, 2, 3, 4, 5))
  })
})
