import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseObject } from '../../model/json/json-object.ts'
import { projectDocument } from '../../query/page/projection.ts'
import { projectionRoot } from '../../query/page/projection-node.ts'
import { fieldPatterns } from '../../query/schema/field-pattern.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import { documentReader } from '../document-reader.ts'
import { featureMaker } from '../geojson-features.ts'
import { hitMaker } from '../hit.ts'
import { featurePrinter } from './feature-text.ts'
import { hitPrinter } from './hit-text.ts'
import { documentTexts } from './raw-text.fixture.ts'

const schema = schemaOf([
  {
    name: 'things',
    mapping: {
      properties: {
        id: { type: 'keyword' },
        at: { type: 'date' },
        place: { type: 'geo_shape' },
        centre: { type: 'geo_point' },
        in: { properties: { place: { type: 'geo_point' } } },
      },
    },
  },
])

const paths = fc.record({
  id_path: fc.constantFrom('id', 'in.n'),
  timestamp_path: fc.constantFrom('at', 'id'),
  geometry_path: fc.constantFrom('place', 'in.place', 'centre', 'in'),
  centroid_path: fc.constantFrom('centre', 'in.place', 'place', 'in.place.centre'),
})

const projection = {
  dropsEmpty: false,
  root: projectionRoot({ kept: fieldPatterns([]), cut: [], isLeaf: () => false }),
}

/** Texts that `print` prints must be those of `make`. Returns how many it printed. */
function compare(
  texts: readonly string[],
  print: (text: string) => string | undefined,
  make: (document: { source: ReturnType<typeof parseObject>; text: string }) => string,
): number {
  let printed = 0
  for (const text of texts) {
    const found = print(text)
    if (found === undefined) continue
    printed++
    expect(found, text).toBe(make({ source: parseObject(text), text }))
  }
  return printed
}

describe('documents are printed from their texts as their objects are', () => {
  const several = fc.array(documentTexts, { minLength: 1, maxLength: 8 })

  it('as hits', () => {
    let printed = 0
    fc.assert(
      fc.property(paths, several, (places, texts) => {
        const makeHit = hitMaker({ reader: documentReader(places, schema), projection, flat: false, paths: places })
        printed += compare(texts, hitPrinter(places, schema), (document) => JSON.stringify(makeHit(document)))
      }),
      { numRuns: 3_000 },
    )
    expect(printed).toBeGreaterThan(1_000)
  })

  it('as features', () => {
    let printed = 0
    fc.assert(
      fc.property(paths, several, (places, texts) => {
        const make = featureMaker({
          reader: documentReader(places, schema),
          paths: places,
          project: (source) => projectDocument(source, projection, { keepNulls: true }),
          flat: false,
          returned: [],
        })
        printed += compare(texts, featurePrinter(places, schema), (document) =>
          make(document)
            .map((feature) => JSON.stringify(feature))
            .join(','),
        )
      }),
      { numRuns: 3_000 },
    )
    expect(printed).toBeGreaterThan(1_000)
  })

  it('if they are usual', () => {
    const places = { id_path: 'id', timestamp_path: 'at', geometry_path: 'place', centroid_path: 'centre' }
    const text =
      '{"id":"a\\n\\"b","at":1700000000000,"n":-0.5,"place":{"type":"Point","coordinates":[1,2]},"centre":{"lat":2,"lon":1}}'
    expect(hitPrinter(places, schema)(text)).toBeDefined()
    expect(featurePrinter(places, schema)(text)).toBeDefined()
  })

  it.each([
    '{ "id":"a"}',
    '{"id":"a"} ',
    '{"id":1.0}',
    '{"id":-0}',
    '{"n":1e3}',
    '{"n":9007199254740993}',
    '{"n":0.0000001}',
    '{"n":"\\u0041"}',
    '{"n":"\\/"}',
    '{"n":"\\u001F"}',
    '{"n":"\ud800"}',
    '{"n":1,"n":2}',
    '{"b":1,"1":2}',
    '{"__proto__":{}}',
    '{"a.b":1}',
    '{"n":01}',
    '{"n":1.}',
    '{"n":.5}',
    '{"n":tru}',
    '{"n":[1,]}',
    '{"n":1',
    '{"n":"a',
    '{"n":"a\nb"}',
    '[]',
    '',
    `{"n":${'['.repeat(100)}${']'.repeat(100)}}`,
  ])('but not from %s', (text) => {
    const places = { id_path: 'id', timestamp_path: 'at', geometry_path: 'place', centroid_path: 'centre' }
    expect(hitPrinter(places, schema)(text)).toBeUndefined()
    expect(featurePrinter(places, schema)(text)).toBeUndefined()
  })
})
