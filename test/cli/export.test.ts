import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { geojson as flatgeobuf } from 'flatgeobuf'
import { parquetReadObjects } from 'hyparquet'
import shp from 'shpjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorkplace, type Workplace } from './periplus.ts'

// every command is a process that has to start first
const COUNT = 2_500

let place: Workplace

beforeAll(async () => {
  place = makeWorkplace()
  const lines = Array.from({ length: COUNT }, (_, i) =>
    JSON.stringify({
      id: `n${i}`,
      at: `2024-01-01T00:${String(i % 60).padStart(2, '0')}:00Z`,
      location: i === 7 ? null : `${i % 80},${i % 170}`,
      kind: i % 2 === 0 ? 'even' : 'odd, "quoted"\nand broken',
      size: i / 2,
      ...(i === 0 ? { note: '=1+1' } : {}),
    }),
  )
  writeFileSync(place.path('a.ndjson'), `${lines.join('\n')}\n`)
  const paths = [
    '--id-path',
    'id',
    '--geometry-path',
    'location',
    '--centroid-path',
    'location',
    '--timestamp-path',
    'at',
  ]
  const loaded = await place.run(['load', 'a.ndjson', '--index', 'a', '--collection', 'things', ...paths])
  expect(loaded, loaded.stderr).toMatchObject({ code: 0 })
})
afterAll(() => place.remove())

const read = (name: string): Buffer => readFileSync(place.path(name))

describe('export from the data directory', () => {
  it('writes lines to standard output, in order', async () => {
    const args = ['--format', 'geojsonl', '--output', '-', '--f', 'kind:eq:even', '--sort', '-size,id', '--size', '3']
    const { code, stdout, stderr } = await place.run(['export', 'things', ...args, '--include', 'size'])
    expect(code, stderr).toBe(0)
    const features = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(features.map((feature) => feature.properties.size)).toEqual([1249, 1248, 1247])
    expect(features[0].properties).not.toHaveProperty('kind')
    expect(stderr).toContain('Exporting 3 documents of things as geojsonl.')
    expect(stderr).toContain('Wrote 3 documents')
  })

  it('takes the format from the name, and the name from the format', async () => {
    expect((await place.run(['export', 'things', '--output', 'things.parquet'])).code).toBe(0)
    const file = new Uint8Array(read('things.parquet')).buffer
    const rows = await parquetReadObjects({ file })
    expect(rows).toHaveLength(COUNT)
    expect(rows[7]).toHaveProperty('id')

    const { code, stderr } = await place.run(['export', 'things', '--format', 'csv'])
    expect(code).toBe(0)
    expect(stderr).toContain(`Wrote ${COUNT.toLocaleString('en-US')} documents`)
    expect(String(read('things.csv')).startsWith('id,at,')).toBe(true)
    expect(readdirSync(place.directory).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('writes a CSV for spreadsheets when it is asked to', async () => {
    const args = ['--format', 'csv', '--output', '-', '--include', 'note', '--f', 'id:eq:n0']
    const plain = await place.run(['export', 'things', ...args])
    const guarded = await place.run(['export', 'things', ...args, '--spreadsheet'])
    expect(plain.stdout).toBe('id,at,note,WKT\nn0,2024-01-01T00:00:00Z,=1+1,POINT (0 0)\n')
    expect(guarded.stdout).toBe("id,at,note,WKT\nn0,2024-01-01T00:00:00Z,'=1+1,POINT (0 0)\n")
  })

  it('says how it is called', async () => {
    const { code, stdout } = await place.run(['export', '--help'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Examples:')])
  })

  it('is told what to do', async () => {
    expect(await place.run(['export', 'things'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--format'),
    })
    expect((await place.run(['export', 'things', '--format', 'excel'])).code).toBe(2)
    expect(await place.run(['export', 'nothing', '--format', 'csv'])).toMatchObject({
      code: 1,
      stderr: 'Collection nothing does not exist.\n',
    })
    const refused = await place.run(['export', 'things', '--format', 'csv', '--output', 'no/where.csv'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no/where.csv cannot be written') })
    const sorted = await place.run(['export', 'things', '--output', 'x.csv', '--sort', 'nowhere'])
    expect(sorted).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere') })
    expect(existsSync(place.path('x.csv'))).toBe(false)
  })
})

describe('export from a server', () => {
  it('writes every format', async () => {
    const server = await place.serve()
    try {
      const geo = COUNT - 1
      const run = (...args: readonly string[]) => place.run(['export', 'things', '--url', server.url, ...args])
      expect((await run('--output', 'b.fgb')).stderr).toContain(`Wrote ${geo.toLocaleString('en-US')} documents`)
      const features = []
      for await (const feature of flatgeobuf.deserialize(new Uint8Array(read('b.fgb')))) features.push(feature)
      expect(features).toHaveLength(geo)

      expect((await run('--output', 'b.zip', '--include', 'size')).code).toBe(0)
      const shapes = await shp(new Uint8Array(read('b.zip')).buffer)
      expect([shapes].flat()[0]?.features).toHaveLength(geo)

      expect((await run('--output', 'b.geojsonl', '--flat')).code).toBe(0)
      expect(String(read('b.geojsonl')).trim().split('\n')).toHaveLength(geo)
    } finally {
      await server.stop()
    }
  })

  it('leaves nothing of a file that broke off, and what was there before', async () => {
    writeFileSync(place.path('kept.csv'), 'before')
    const broken = createServer((request, response) => {
      if (request.url?.includes('_count') === true) return response.end('{"totalnb":5}')
      response.write('id,WKT\n1,\n')
      return setTimeout(() => response.destroy(), 50)
    })
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = broken.address() as AddressInfo
      const url = `http://127.0.0.1:${port}`
      const { code, stderr } = await place.run(['export', 'things', '--output', 'kept.csv', '--url', url])
      expect(code).toBe(1)
      expect(stderr).toContain('The export stopped before its end')
      expect(String(read('kept.csv'))).toBe('before')
      expect(existsSync(place.path('kept.csv.part'))).toBe(false)
    } finally {
      broken.close()
    }
  })
})
