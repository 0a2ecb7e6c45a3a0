import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { describeWithReaders } from './readers.ts'
import { faultsOf } from './xmllint.ts'

type Tree = readonly (readonly [string, string | Tree])[]

/** Names that are near each other, and near the edges of what XML allows. */
const ODD_NAMES = [
  ...['a b', 'a:b', 'a_b', 'a_b_1', 'a<b', 'a>b', 'a&b', 'a"b', "a'b", 'a/b', 'a=b', 'a\tb', 'a\nb', 'a\u0000b'],
  ...['', ' ', '_', '__1', '-', '1', '_1', '1a', '.5', 'xml', 'XML', 'xmlns', 'xml:lang', 'xmlns:gml', 'name'],
  ...['été', 'e\u0301', '\u0301', 'ひと', '\u{1f30d}', '\u{1f30d}\u{1f30e}', '\ufffd', '\uffff', '\u200b', '\u00b7'],
  ...['constructor', '<!--', ']]>', '<?xml?>', '&amp;', '{urn:x}y', 'a\u0085b', 'a\u2028b'],
]
const names = fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string({ unit: 'binary', maxLength: 6 }))
const texts = fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string({ unit: 'binary' })).filter((text) => text !== '')
const members = fc.dictionary(names, texts, { minKeys: 1, maxKeys: 20, noNullPrototype: true })
const drawn = fc.dictionary(names, fc.oneof(texts, members), { minKeys: 1, maxKeys: 20, noNullPrototype: true })

const mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, time: { type: 'date' }, place: { type: 'geo_point' } },
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#13': '\r',
  '#9': '\t',
  '#10': '\n',
}
const decoded = (text: string): string => text.replace(/&([^;]+);/g, (_, name: string) => ENTITIES[name] ?? '?')

/** Reads elements of well-formed XML: the field each stands for, and its text or members. */
function treeOf(xml: string): Tree {
  const open: [string, (readonly [string, string | Tree])[], string][] = [['', [], '']]
  for (const [, end, name = '', attribute, empty, text] of xml.matchAll(
    /<(\/?)([^\s/>]+)(?: name="([^"]*)")?(\/?)>|([^<]+)/g,
  )) {
    const inner = open.at(-1)
    if (text !== undefined) {
      if (inner !== undefined) inner[2] += decoded(text)
    } else if (end === '/') {
      open.pop()
      open.at(-1)?.[1].push([inner?.[0] ?? '', inner?.[1].length ? inner[1] : (inner?.[2] ?? '')])
    } else if (empty === '/') inner?.[1].push([decoded(attribute ?? name), ''])
    else open.push([decoded(attribute ?? name), [], ''])
  }
  return open[0]?.[1] ?? []
}

/** What XML has no way to write becomes U+FFFD. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\ufffe\uffff]/gu, (character) =>
    ['\t', '\n', '\r'].includes(character) || (character >= '\u007f' && character < '\ufffe') ? character : '\ufffd',
  )

const treeOfJson = (value: unknown): string | Tree =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, member]) => [printable(key), treeOfJson(member)] as const)
    : printable(String(value))

describeWithReaders('feeds of documents whose fields are called anything', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    const odd = Object.fromEntries(ODD_NAMES.map((name) => [name, `of ${name}`]))
    const random = fc.sample(drawn, { seed, numRuns: 200 })
    const documents = [odd, ...random].map((any, i) => ({ id: `d${i}`, time: i, place: '1,2', any }))
    const lines = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
    await createIndex(server.base, 'names', mapping, lines.join(''))
    const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
    await putCollection(server.base, 'names', { index_name: 'names', ...paths })
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  it.each(['', '&flat=true'])('are XML and hold every field under its name%s', async (form) => {
    const path = `/explore/names/_search?sort=time,id&size=1000${form}`
    const file = await downloads.fetch(`${server.base}${path}`, 'names.atom', { accept: 'application/atom+xml' })
    expect(await faultsOf(file, 'atom'), `seed ${seed}`).toBe('')
    const feed = await readFile(file, 'utf8')
    const entries = [...feed.matchAll(/<document xmlns="[^"]*">(.*?)<\/document><\/content>/gs)]
    const { hits } = (await must(server.base, { path })) as { readonly hits: readonly { readonly data: object }[] }
    expect(entries).toHaveLength(201)
    for (const [i, { data }] of hits.entries()) {
      const { place: _, ...rest } = data as Readonly<Record<string, unknown>>
      expect(treeOf(entries[i]?.[1] ?? ''), `seed ${seed}, document ${i}`).toEqual(treeOfJson(rest))
    }
    // No two elements beside each other are called alike: no document here has arrays.
    for (const [, document = ''] of entries) {
      const depths: Set<string>[] = [new Set()]
      for (const [, end, name = '', empty] of document.matchAll(/<(\/?)([^\s/>]+)[^<>]*?(\/?)>/g)) {
        if (end === '/') depths.pop()
        else {
          expect(depths.at(-1)?.has(name), `seed ${seed}: ${name}`).toBe(false)
          depths.at(-1)?.add(name)
          if (empty !== '/') depths.push(new Set())
        }
      }
    }
  })
})
