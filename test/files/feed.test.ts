import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import Parser from 'rss-parser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Geometry } from '../../src/model/geometry.ts'
import { collections, documents, mapping, toBulk } from '../conformance/dataset.ts'
import { loadEdge } from '../conformance/fixtures.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { readWithGdal } from './gdal.ts'
import { randomDocuments, mapping as randomMapping, paths as randomPaths } from './random-documents.ts'
import { describeWithReaders } from './readers.ts'
import { faultsOf } from './xmllint.ts'

const ATOM = { accept: 'application/atom+xml' }

interface Hit {
  readonly md: {
    readonly id: string
    readonly timestamp?: number
    readonly geometry?: Geometry
    readonly centroid?: Geometry
  }
}

interface Item {
  readonly id: string
  readonly title?: string
  readonly isoDate?: string
  readonly link?: string
}

describeWithReaders('searches as feeds', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    await createIndex(server.base, 'dataset', mapping, toBulk(documents()))
    await putCollection(server.base, 'geodata', {
      ...collections.geodata,
      atom_feed: {
        author: { name: 'A & B', email: 'a@b.test', uri: 'http://b.test/a?x=1&y=2' },
        contributor: { name: 'C <d>' },
        icon: 'http://b.test/icon.png',
        logo: 'http://b.test/logo.png',
        rights: '© "all"',
        subtitle: 'Squares & points',
        generator: { name: 'Grid', version: '1.0', uri: 'http://b.test' },
      },
    })
    await putCollection(server.base, 'dots', { ...collections.geodata, geometry_path: 'geo_params.centroid' })
    await loadEdge(server.base, 'edge')
    const [random = []] = fc.sample(randomDocuments, { seed, numRuns: 1 })
    const lines = random.map((document) => `{"index":{}}\n${JSON.stringify({ ...document, bell: 'a\u0007b' })}\n`)
    await createIndex(server.base, 'random', randomMapping, lines.join(''))
    await putCollection(server.base, 'random', { index_name: 'random', ...randomPaths })
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  const feed = (collection: string, query = 'sort=id&size=1000'): Promise<string> =>
    downloads.fetch(`${server.base}/explore/${collection}/_search?${query}`, `${collection}.atom`, ATOM)

  async function hitsOf(collection: string, query = 'sort=id&size=1000'): Promise<readonly Hit[]> {
    const answer = await must(server.base, { path: `/explore/${collection}/_search?${query}` })
    return (answer as { readonly hits?: readonly Hit[] }).hits ?? []
  }

  it.each(['geodata', 'edge', 'random'])('%s: XML that RFC 4287, GeoRSS and GML allow', async (collection) => {
    for (const form of ['', '&pretty=true', '&flat=true']) {
      expect(await faultsOf(await feed(collection, `sort=id&size=1000${form}`), 'atom'), form).toBe('')
    }
  })

  it('the grammar refuses what is no feed', async () => {
    const text = await readFile(await feed('edge'), 'utf8')
    const broken = {
      'without id': text.replace(/<id>[^<]*_search<\/id>/, ''),
      'two titles': text.replace('<title>edge</title>', '<title>edge</title><title>edge</title>'),
      'a date without zone': text.replace(/(<updated>[^<]*)Z</, '$1<'),
      'a position short': text.replace(/<gml:posList>\S+ /, '<gml:posList>'),
      'not closed': text.replace('</entry>', ''),
    }
    for (const [name, wrong] of Object.entries(broken)) {
      const path = join(downloads.directory, 'broken.atom')
      await writeFile(path, wrong)
      expect(await faultsOf(path, 'atom'), name).not.toBe('')
    }
  })

  it.each(['geodata', 'edge', 'random'])('%s: a reader of feeds finds the hits', async (collection) => {
    const read = await new Parser<object, Item>().parseString(await readFile(await feed(collection), 'utf8'))
    const hits = await hitsOf(collection)
    expect(read.items.map(({ title }) => title)).toEqual(hits.map(({ md }) => md.id))
    const withTime = hits.flatMap(({ md }, i) => (md.timestamp === undefined ? [] : [[i, md.timestamp] as const]))
    for (const [i, timestamp] of withTime) expect(Date.parse(read.items[i]?.isoDate ?? '')).toBe(timestamp)
    for (const { md } of hits.slice(0, 20)) {
      const item = read.items.find(({ title }) => title === md.id)
      expect(item?.link).toBe(item?.id)
      expect(await (await fetch(item?.link ?? '')).json()).toMatchObject({ md: { id: md.id } })
    }
  })

  // The driver for GML takes every file that names its namespace.
  const without = ['GML']

  it.each(['geodata', 'edge', 'dots'])('%s: the GeoRSS driver of GDAL finds the places', async (collection) => {
    const [layer] = await readWithGdal(await feed(collection), { without, longitudeFirst: true })
    const hits = await hitsOf(collection)
    expect(layer?.count).toBe(hits.length)
    expect(layer?.features.map(({ properties }) => properties.title)).toEqual(hits.map(({ md }) => md.id))
    expect(layer?.features.map(({ geometry }) => geometry)).toEqual(
      hits.map(({ md }) => md.geometry ?? md.centroid ?? null),
    )
  })

  it('the GeoRSS driver of GDAL finds the entries of any geometry', async () => {
    const [layer] = await readWithGdal(await feed('random'), { without })
    const hits = await hitsOf('random')
    expect(layer?.features.map(({ properties }) => properties.title)).toEqual(hits.map(({ md }) => md.id))
    expect(layer?.features.map(({ geometry }) => geometry !== null)).toEqual(
      hits.map(({ md }) => (md.geometry ?? md.centroid) !== undefined),
    )
  })

  it('next and previous lead through all documents, and back', async () => {
    const linkOf = (text: string, rel: string): string | undefined =>
      new RegExp(`<link rel="${rel}" [^>]*href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
    const titlesOf = (text: string): readonly string[] =>
      [...text.matchAll(/<entry><id>[^<]*<\/id><title>([^<]*)</g)].map(([, title = '']) => title)
    const get = async (url: string): Promise<string> => (await fetch(url, { headers: ATOM })).text()
    const first = `${server.base}/explore/geodata/_search?sort=-params.age,id&size=100`
    const pages: string[] = []
    for (let next: string | undefined = first; next !== undefined; next = linkOf(pages.at(-1) ?? '', 'next')) {
      pages.push(await get(next))
    }
    const hits = await hitsOf('geodata', 'sort=-params.age,id&size=1000')
    expect(pages.flatMap(titlesOf)).toEqual(hits.map(({ md }) => md.id))
    expect(pages).toHaveLength(6)
    const back = [await get(linkOf(pages[3] ?? '', 'previous') ?? '')]
    expect(back.flatMap(titlesOf)).toEqual(titlesOf(pages[2] ?? ''))
    expect(linkOf(pages[1] ?? '', 'self')).toContain('size=100')
    expect(await fetch(linkOf(pages[0] ?? '', 'search') ?? '').then(({ status }) => status)).toBe(200)
  })
})
