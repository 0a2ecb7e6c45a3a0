import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isBroken, type Row } from '../row.ts'
import { openInput } from '../source/open-input.ts'
import { readDocuments } from './read-documents.ts'
import { detectFormat } from './shared/input-format.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-readers-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function read(name: string, content: string | Buffer): Promise<readonly Row[]> {
  const file = path.join(directory, name)
  writeFileSync(file, content)
  const input = await openInput(file)
  const rows: Row[] = []
  try {
    const reading = await readDocuments(input, detectFormat(file, input.head) ?? 'ndjson')
    for await (const batch of reading.rows) rows.push(...batch)
  } finally {
    input.close()
  }
  return rows
}

const documents = (rows: readonly Row[]) => rows.flatMap((row) => (isBroken(row) ? [] : [row.document]))
const broken = (rows: readonly Row[]) => rows.flatMap((row) => (isBroken(row) ? [[row.line, row.reason]] : []))

const feature = (id: number) => ({
  type: 'Feature',
  id,
  properties: { name: `n${id}` },
  geometry: { type: 'Point', coordinates: [id, 1] },
})
const featureDocument = (id: number) => ({
  id,
  name: `n${id}`,
  geometry: { type: 'Point', coordinates: [id, 1] },
})

describe('lines', () => {
  it('reads NDJSON with blank lines, CRLF, a byte order mark and no last line end', async () => {
    const rows = await read('a.ndjson', '\ufeff{"a":1}\r\n\r\n{"a":2}\n   \n{"a":3}')
    expect(rows).toEqual([
      { line: 1, document: { a: 1 }, text: '{"a":1}' },
      { line: 3, document: { a: 2 }, text: '{"a":2}' },
      { line: 5, document: { a: 3 }, text: '{"a":3}' },
    ])
  })

  it('goes on after lines that are no documents and says why', async () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    const rows = await read('b.ndjson', `{"a":1}\n{"a":\n[1]\n{"x":${deep}}\n{"a":2}\n`)
    expect(documents(rows)).toEqual([{ a: 1 }, { a: 2 }])
    expect(broken(rows)).toEqual([
      [2, expect.stringMatching(/^is not JSON/)],
      [3, 'is not a JSON object'],
      [4, 'is nested deeper than 100 levels'],
    ])
  })

  it('refuses bytes that are no UTF-8', async () => {
    const rows = await read(
      'c.ndjson',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"a":1}')]),
    )
    expect(documents(rows)).toEqual([{ a: 1 }])
    expect(broken(rows)).toEqual([[1, 'is not UTF-8 text']])
  })

  it('reads lines longer than a chunk, packed or not', async () => {
    const long = { text: 'é'.repeat(2_000_000) }
    const content = `${JSON.stringify(long)}\n{"a":1}\n`
    for (const [name, bytes] of [
      ['d.ndjson', Buffer.from(content)],
      ['d.ndjson.gz', gzipSync(content)],
    ] as const) {
      expect(documents(await read(name, bytes))).toEqual([long, { a: 1 }])
    }
  })

  it('reads features, one per line or as a text sequence', async () => {
    const lines = `${JSON.stringify(feature(1))}\n${JSON.stringify(feature(2))}\n`
    expect(documents(await read('e.geojsonl', lines))).toEqual([featureDocument(1), featureDocument(2)])
    expect(documents(await read('e.json', lines))).toEqual([featureDocument(1), featureDocument(2)])
    const sequence = `\u001e${JSON.stringify(feature(1))}\n\u001e${JSON.stringify(feature(2))}\n`
    expect(documents(await read('e2.json', sequence))).toEqual([featureDocument(1), featureDocument(2)])
  })

  it('has nothing to say about an empty file', async () => {
    for (const name of ['f.ndjson', 'f.csv', 'f.geojson', 'f.json']) expect(await read(name, '')).toEqual([])
  })
})

describe('GeoJSON', () => {
  it('reads a FeatureCollection, compact or indented', async () => {
    const collection = { type: 'FeatureCollection', features: [feature(1), feature(2), { type: 'Nope' }] }
    for (const indent of [undefined, 2]) {
      const rows = await read('a.geojson', JSON.stringify(collection, null, indent))
      expect(documents(rows)).toEqual([featureDocument(1), featureDocument(2)])
      expect(broken(rows).map(([, reason]) => reason)).toEqual(['is not a GeoJSON Feature'])
    }
  })

  it('keeps the id and the centroid of the properties, and features without geometry', async () => {
    const rows = await read(
      'b.geojson',
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          { ...feature(1), properties: { id: 'own', centroid: '5,6' } },
          { type: 'Feature', properties: { a: 1 }, geometry: null },
          {
            type: 'Feature',
            properties: null,
            geometry: {
              type: 'LineString',
              coordinates: [
                [0, 0],
                [4, 2],
              ],
            },
          },
        ],
      }),
    )
    expect(documents(rows)).toEqual([
      { id: 'own', centroid: '5,6', geometry: { type: 'Point', coordinates: [1, 1] } },
      { a: 1 },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [4, 2],
          ],
        },
      },
    ])
  })

  it('reads an array of documents', async () => {
    expect(documents(await read('c.json', '[{"a":1},\n{"a":2}]'))).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('says that a file is cut short, or is something else', async () => {
    await expect(read('d.geojson', '{"type":"FeatureCollection","features":[{"a":')).rejects.toThrow(
      'the file is truncated',
    )
    await expect(read('e.geojson', '{"type":"FeatureCollection"}')).rejects.toThrow('no "features" array')
  })
})

describe('CSV', () => {
  it('types its columns, and leaves codes, empty cells and long numbers as they are', async () => {
    const rows = await read(
      'a.csv',
      'id,zip,mag,on,tags,key\n1,01234,2.5,true,"[""a"",""b""]",12345678901234567890\n2,98765,,FALSE,[],2\n3,10000,-1e3,true,"[1]",3\n',
    )
    expect(documents(rows)).toEqual([
      { id: 1, zip: '01234', mag: 2.5, on: true, tags: ['a', 'b'], key: '12345678901234567890' },
      { id: 2, zip: '98765', on: false, tags: [], key: '2' },
      { id: 3, zip: '10000', mag: -1000, on: true, tags: [1], key: '3' },
    ])
  })

  it('reads quotes, line ends in cells, CRLF and a byte order mark', async () => {
    const rows = await read('b.csv', '\ufeffname,note\r\n"a, b","say ""hi""\r\nthere"\r\nc,d\r\n')
    expect(rows).toEqual([
      { line: 2, document: { name: 'a, b', note: 'say "hi"\r\nthere' } },
      { line: 4, document: { name: 'c', note: 'd' } },
    ])
  })

  it('rejects rows with the wrong number of cells or broken quotes, by line', async () => {
    const rows = await read('c.csv', 'a,b\n1,2\n3\n"x"y,2\n4,5,6\n7,8\n')
    expect(documents(rows)).toEqual([
      { a: 1, b: 2 },
      { a: 7, b: 8 },
    ])
    expect(broken(rows)).toEqual([
      [3, 'has 1 cells, but the header has 2'],
      [4, 'has text after a closing quote'],
      [5, 'has 3 cells, but the header has 2'],
    ])
  })

  it('finds the delimiter and names columns that lack one', async () => {
    expect(documents(await read('d.csv', 'a;"b,c";\n1;2;3\n'))).toEqual([{ a: 1, 'b,c': 2, column_3: 3 }])
    expect(documents(await read('e.tsv', 'a\ta\n1\tx,y\n'))).toEqual([{ a: 1, a_2: 'x,y' }])
    expect(documents(await read('f.txt', 'a|b\n1|2\n'))).toEqual([{ a: 1, b: 2 }])
  })

  it('keeps what no longer fits its column after the sample', async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => (i === 2_500 ? 'x' : String(i)))
    const found = documents(await read('g.csv', `n\n${lines.join('\n')}\n`))
    expect(found).toHaveLength(3_000)
    expect(found[2_499]).toEqual({ n: 2_499 })
    expect(found[2_500]).toEqual({ n: 'x' })
  })

  it('is not undone by a quote that never closes', async () => {
    const rows = await read('h.csv', 'a,b\n1,2\n"3,4\n5,6\n')
    expect(documents(rows)).toEqual([
      { a: 1, b: 2 },
      { a: 5, b: 6 },
    ])
    expect(broken(rows)).toEqual([[3, 'has an unclosed quote']])
  })
})

describe('other inputs', () => {
  it('says what is wrong with a file', async () => {
    await expect(openInput(path.join(directory, 'missing.csv'))).rejects.toThrow('does not exist')
    await expect(read('t.ndjson.gz', gzipSync('{"a":1}\n'.repeat(10_000)).subarray(0, 50))).rejects.toThrow('damaged')
    await expect(read('p.parquet', 'PAR1 and nothing else')).rejects.toThrow('not a Parquet file')
  })

  it.each([
    ['a.geojson', '{"type":"FeatureCollection","features":[]}', 'geojson'],
    ['a.json', '{"type":"FeatureCollection",\n"features":[]}', 'geojson'],
    ['a.json', '{"a":1}\n{"a":2}', 'ndjson'],
    ['a.json', ' [{}]', 'json'],
    ['-', '{"type":"Feature"}\n', 'geojsonl'],
    ['-', 'a,b\n', 'csv'],
    ['-', 'a\tb\n', 'tsv'],
    ['a.jsonl', '{"type":"Feature","geometry":null}', 'geojsonl'],
    ['x.CSV.gz', 'a', 'csv'],
    ['-', 'hello', undefined],
  ])('%s with %j is %s', (name, content, format) => {
    expect(detectFormat(name, Buffer.from(content))).toBe(format)
  })
})
