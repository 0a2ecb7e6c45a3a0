import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, type EngineUnderTest, engines } from '../../support/engines.ts'
import { call, must, withQuery } from '../../support/http-client.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { toBulk } from '../dataset.ts'
import { decodedQuery, filterBody } from '../decoded-query.ts'
import { loadSample } from '../fixtures.ts'
import { type Hits, idsOf } from '../hits.ts'

const points = 'f=geo_params.centroid'
const squares = 'f=geo_params.geometry'

/** A filter on the sample and its total; the squares have sides of two degrees around the points of a 10-degree grid. */
const examples: readonly (readonly [string, string, number])[] = [
  // Boxes.
  ['a box from edge to edge', `${points}:within:-180,-90,180,90`, 595],
  ['spaces around the numbers', `${points}:within: -5 , -5 , 5 , 5 `, 1],
  ['a box with points on its border', `${points}:within:-10,-10,10,10`, 9],
  ['a vertical segment holds points', `${points}:within:0,-15,0,15`, 3],
  ['a vertical segment holds no square', `${squares}:within:0,-15,0,15`, 0],
  ['a vertical segment touches squares', `${squares}:intersects:1,-15,1,15`, 3],
  ['a box over the antimeridian', `${points}:within:165,-5,-165,5`, 2],
  ['a box over the antimeridian, negated', `${points}:notwithin:165,-5,-165,5`, 593],
  ['from 180 to -180 are two segments', `${squares}:intersects:180,-90,-180,90`, 0],
  ['squares that touch a box in one corner', `${squares}:intersects:1,1,9,9`, 4],
  // Polygons and their complements.
  ['positions written twice', `${points}:within:POLYGON((-5 -5,5 -5,5 -5,5 5,-5 5,-5 -5,-5 -5))`, 1],
  ['clockwise, righthand=false', `${points}:within:POLYGON((-5 -5,-5 5,5 5,5 -5,-5 -5))&righthand=false`, 1],
  ['a complement west of 0', `${points}:within:POLYGON((-15 -5,-15 5,-5 5,-5 -5,-15 -5))`, 34],
  ['a complement beyond 180', `${points}:within:POLYGON((185 -5,185 5,195 5,195 -5,185 -5))`, 34],
  ['a complement below -180', `${points}:within:POLYGON((-195 -5,-195 5,-185 5,-185 -5,-195 -5))`, 34],
  ['a complement over 180', `${squares}:intersects:POLYGON((-130 -2,-130 2,220 2,220 -2,-130 -2))`, 2],
  ['beyond 180', `${points}:within:POLYGON((185 -5,195 -5,195 5,185 5,185 -5))`, 1],
  ['two turns wide', `${points}:within:POLYGON((-360 -5,360 -5,360 5,-360 5,-360 -5))`, 35],
  ['as wide as the world', `${squares}:within:POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))`, 595],
  // Holes.
  [
    'a hole over 180',
    `${squares}:within:POLYGON((155 -5,205 -5,205 5,155 5,155 -5),(175 -4,185 -4,185 4,175 4,175 -4))`,
    4,
  ],
  [
    'a hole touches its ring',
    `${points}:within:POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(0 -15,5 5,-5 5,0 -15))`,
    7,
  ],
  // Several members.
  [
    'no border inside a union',
    `${squares}:within:GEOMETRYCOLLECTION(POLYGON((-5 -5,0 -5,0 5,-5 5,-5 -5)),POLYGON((0 -5,5 -5,5 5,0 5,0 -5)))`,
    1,
  ],
  [
    'no border inside a union of pieces on both sides of 180',
    `${squares}:within:GEOMETRYCOLLECTION(POLYGON((165 -5,190 -5,190 5,165 5,165 -5)),POLYGON((-170 -5,-165 -5,-165 5,-170 5,-170 -5)))`,
    2,
  ],
  [
    'polygons may touch in a point',
    `${points}:within:MULTIPOLYGON(((-5 -5,5 -5,5 5,-5 5,-5 -5)),((5 5,15 5,15 15,5 15,5 5)))`,
    2,
  ],
  [
    'one member of two is a complement',
    `${points}:within:MULTIPOLYGON(((-5 -5,5 -5,5 5,-5 5,-5 -5)),((-5 15,-5 25,5 25,5 15,-5 15)))`,
    35,
  ],
  ['keywords in any case', `${points}:within: multiPolygon ( ( (-5 -5,5 -5 , 5 5,-5 5,-5 -5) ) ) `, 1],
  // Lines.
  ['squares along a line over 180', `${squares}:intersects:LINESTRING(165 0,195 0)`, 2],
  ['squares along a line up to 360', `${squares}:intersects:LINESTRING(340 0,360 0)`, 3],
  ['no square lies in a line', `${squares}:within:LINESTRING(-1 -1,1 -1)`, 0],
]

/** Documents on the very border of a WKT area. */
const borderExamples: typeof examples = [
  ['a square in a hole', `${squares}:intersects:POLYGON((-9 -9,9 -9,9 9,-9 9,-9 -9),(-2 -2,-2 2,2 2,2 -2,-2 -2))`, 8],
  ['a point shifted by a turn', `${points}:within:POINT(-350 0)`, 1],
  ['points without inner brackets', `${points}:within:MULTIPOINT(0 0, 10 10, 350e0 90)`, 2],
  ['points on a line over 180', `${points}:within:LINESTRING(160 -10,200 30)`, 4],
  ['points on a line that 180 cuts between two doubles', `${points}:within:LINESTRING(-181 9,171 41)`, 4],
  [
    'points on an edge that 180 cuts between two doubles',
    `${points}:within:POLYGON((-19 70,-81 30,-129 -59,-19 70))&righthand=false`,
    136,
  ],
  [
    'points on a hole',
    `${points}:within:POLYGON((-15 -15,15 -15,15 15,-15 15,-15 -15),(-10 -10,-10 10,10 10,10 -10,-10 -10))`,
    8,
  ],
  [
    'points in a mixture',
    `${points}:intersects:GEOMETRYCOLLECTION(POINT(0 0),LINESTRING(10 0,30 0),POLYGON((40 -5,60 -5,60 5,40 5,40 -5)))`,
    7,
  ],
]

/** Spec 3.8: what is refused, and a word of the reason. */
const refusals: readonly (readonly [string, RegExp])[] = [
  ['nowhere', /bbox .* or WKT/],
  ['0,0,1', /bbox .* or WKT/],
  ['0,10,10,0', /north/],
  ['POINT(0 0) POINT(1 1)', /text after/],
  ['POINT(0 0)#', /text after/],
  ['SRID=4326\\;POINT(0 0)', /SRID/],
  ['POINT Z(0 0 0)', /two ordinates/],
  ['POLYGON EMPTY', /EMPTY/],
  ['POINT(361 0)', /longitude/],
  ['POINT(0 91)', /latitude/],
  ['POLYGON((0 0,10 0,10 10,0 10))', /not closed/],
  ['POLYGON((0 0,10 0,20 0,0 0))', /without area/],
  ['POLYGON((0 0,10 10,10 0,0 10,0 0))', /touches or crosses itself/],
  ['POLYGON((0 0,10 0,10 10,0 10,0 0),(20 20,21 20,21 21,20 20))', /hole outside/],
  ['MULTIPOLYGON(((0 0,10 0,10 10,0 10,0 0)),((10 0,20 0,20 10,10 10,10 0)))', /share an edge/],
  ['POLYGON((0 0,0 10,10 10,10 0,0 0),(1 1,2 1,2 2,1 1))', /must not have holes/],
  ['GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(0 0)))', /collection inside/],
]

const documents = [
  { id: 'east', shape: 'POLYGON((170 -10,190 -10,190 10,170 10,170 -10),(175 -5,185 -5,185 5,175 5,175 -5))' },
  {
    id: 'slanted',
    shape: {
      type: 'Polygon',
      coordinates: [
        [
          [170, 0],
          [191, 1],
          [177, 8],
          [170, 0],
        ],
      ],
    },
  },
  { id: 'line', shape: 'LINESTRING Z (175 0 5, 185 0 5)', place: [-175, 85.06, 12] },
  {
    id: 'wide',
    shape: 'POLYGON((-100 -60,100 -60,100 -40,-100 -40,-100 -60))',
    place: ['-50,0', { lat: 50, lon: 10 }],
  },
  { id: 'pole', place: 'POINT (180 90)' },
  { id: 'unread', shape: 'POLYGON EMPTY', place: '91,0' },
]

/**
 * A cluster would turn a latitude beyond the pole into another place, so such a document is refused; and it does not read
 * the Z of WKT.
 */
function documentsFor({ name }: EngineUnderTest): readonly { readonly id: string }[] {
  if (name === 'embedded') return documents
  const other: Readonly<Record<string, object>> = {
    unread: { place: 'nowhere' },
    line: { shape: 'LINESTRING (175 0 5, 185 0 5)' },
  }
  return documents.map((document) => ({ ...document, ...other[document.id] }))
}

/** Shapes over the antimeridian, points at the ends of the map. */
const documentExamples: readonly (readonly [string, readonly string[]])[] = [
  ['f=shape:within:170,-10,-169,10', ['east', 'line', 'slanted']],
  ['f=shape:intersects:POINT(-180 0)', ['line']],
  ['f=shape:intersects:POINT(180 7)', ['east']],
  ['f=shape:notintersects:-180,-90,180,90', ['pole', 'unread']],
  ['f=shape:intersects:POINT(0 -50)', ['wide']],
  ['f=place:within:0,40,20,60', ['wide']],
  ['f=place:notwithin:-180,-90,180,90', ['east', 'slanted', 'unread']],
]

const borderDocumentExamples: typeof documentExamples = [
  ['f=shape:within:POLYGON((170 -10,190 -10,190 10,170 10,170 -10),(176 -4,184 -4,184 4,176 4,176 -4))', ['east']],
  ['f=shape:within:POLYGON((170 0,191 1,177 8,170 0))', ['slanted']],
]

describeEach(engines)('geometries on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
    const properties = {
      id: { type: 'keyword' },
      at: { type: 'date' },
      shape: { type: 'geo_shape' },
      place: { type: 'geo_point' },
    }
    await createIndex(server.base, 'globe', { dynamic: false, properties }, toBulk(documentsFor(engine)))
    const paths = { id_path: 'id', geometry_path: 'shape', centroid_path: 'place', timestamp_path: 'at' }
    await putCollection(server.base, 'globe', { index_name: 'globe', ...paths })
  })
  afterAll(() => server?.stop())

  const counted = engine.exactBorders ? [...examples, ...borderExamples] : examples
  test.each(counted)('%s', async (_, query, total) => {
    const parameters = decodedQuery(query)
    const path = '/explore/geodata/_count'
    expect(await must(server.base, { path: withQuery(path, parameters) })).toMatchObject({ totalnb: total })
    const body = { filter: filterBody(parameters) }
    expect(await must(server.base, { method: 'POST', path, body })).toMatchObject({ totalnb: total })
  })

  test.each(refusals)('refuses %s', async (value, reason) => {
    const parameters = decodedQuery(`${squares}:within:${value}`)
    const path = '/explore/geodata/_count'
    const refusal = { status: 400, error: 'INVALID_GEOMETRY', message: expect.stringMatching(reason) }
    expect((await call(server.base, { path: withQuery(path, parameters) })).json()).toEqual(refusal)
    const body = { filter: filterBody(parameters) }
    expect((await call(server.base, { method: 'POST', path, body })).json()).toEqual(refusal)
  })

  const found = engine.exactBorders ? [...documentExamples, ...borderDocumentExamples] : documentExamples
  test.each(found)('%s', async (query, ids) => {
    const hits = (await must(server.base, { path: withQuery('/explore/globe/_search', decodedQuery(query)) })) as Hits
    expect(idsOf(hits)).toEqual(ids)
  })

  test.each([
    ['0/0/0', 3],
    ['1/0/0', 1],
    ['1/1/0', 2],
    ['1/1/1', 1],
    ['28/268435455/0', 1],
  ] as const)('tile %s', async (tile, features) => {
    const answer = await call(server.base, { path: `/explore/globe/_geosearch/${tile}` })
    expect(answer.json()).toMatchObject({ features: { length: features } })
  })
})
