import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collections, documents, edge, mapping } from '../conformance/dataset.ts'
import { loadEdge, loadSample } from '../conformance/fixtures.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { leavesOf, valuesUnder } from './expected-cells.ts'
import { describeWithReaders } from './readers.ts'
import { faultsOf } from './xmllint.ts'

interface Template {
  readonly type: string
  readonly template: string
}

const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const templatesOf = (xml: string): readonly Template[] =>
  [...xml.matchAll(/<Url ([^>]*)\/>/g)].map(([, attributes = '']) => ({
    type: /type="([^"]*)"/.exec(attributes)?.[1] ?? '',
    template: unescapeXml(/template="([^"]*)"/.exec(attributes)?.[1] ?? ''),
  }))

/** The world, in the two forms of the geo extension. */
const PLACES: Readonly<Record<string, string>> = {
  'geo:box': '-180,-90,180,90',
  'geo:geometry': 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))',
}

/** Fills a template in as a client does: every value percent-encoded; `value` stands for what the field is compared with. */
const fill = ({ template }: Template, value: string, general: Readonly<Record<string, string>>): string =>
  template.replace(/\{([^}]*?)\??\}/g, (_, name: string) => encodeURIComponent(general[name] ?? PLACES[name] ?? value))

describeWithReaders('descriptions of searches', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    await loadSample(server.base)
    await loadEdge(server.base, 'edge')
    await putCollection(server.base, 'described', {
      ...collections.geodata,
      display_names: { collection: 'A grid of squares & points' },
      open_search: {
        short_name: 'Grid',
        description: 'All <squares>',
        contact: 'a@b.test',
        tags: 'grid test',
        long_name: 'A grid of squares',
        image_height: '16',
        image_width: '16',
        image_type: 'image/png',
        image_url: 'http://b.test/a.png?b=c&d=e',
        developer: 'D',
        attribution: 'E',
        syndication_right: 'open',
        adult_content: 'false',
        language: 'en-us',
        input_encoding: 'UTF-8',
        output_encoding: 'UTF-8',
      },
    })
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  const description = (collection: string): Promise<string> =>
    downloads.fetch(`${server.base}/explore/ogc/opensearch/${collection}`, `${collection}.xml`)

  it.each(['geodata', 'edge', 'described'])('%s: XML that OpenSearch 1.1 allows', async (collection) => {
    expect(await faultsOf(await description(collection), 'search-description')).toBe('')
  })

  it.each([
    ['geodata', mapping, documents()[300], 75],
    ['edge', edge.mapping, edge.documents()[2], 55],
  ])('%s: every template finds something when it is filled in', async (collection, { properties }, document, count) => {
    const templates = templatesOf(await readFile(await description(collection), 'utf8'))
    const leaves = leavesOf({ properties })
    expect(templates.length).toBe(count)
    const general = { searchTerms: collection === 'edge' ? 'fox' : 'Search', count: '5', startIndex: '0' }
    for (const template of templates) {
      const [, path = '', operator = ''] = /[?]f=([^:&]*):(\w+):/.exec(template.template) ?? []
      const leaf = leaves.find((known) => known.path === path)
      const value = leaf === undefined ? '' : valueFor(document, path, leaf.type)
      const response = await fetch(fill(template, value, general), { headers: { accept: template.type } })
      const text = await response.text()
      expect(response.status, `${template.template}: ${text}`).toBe(200)
      expect(response.headers.get('content-type')).toContain(template.type)
      // The document the values were taken from is there, unless its own value is what is left out, or it has none.
      if (['eq', 'like', 'gte', 'lte', 'range'].includes(operator) && value !== '?') {
        expect(text, template.template).toMatch(/<opensearch:totalResults>[1-9]/)
      }
    }
  })

  it('what is optional may be left empty', async () => {
    const templates = templatesOf(await readFile(await description('geodata'), 'utf8')).slice(0, 3)
    for (const template of templates) {
      const response = await fetch(fill(template, '', { searchTerms: '', count: '', startIndex: '' }), {
        headers: { accept: template.type },
      })
      expect(response.status).toBe(200)
      expect(await response.text()).toMatch(/"totalnb":595|totalResults>595</)
    }
  })
})

/** What a document has in a field, in a form that the templates take; `?` where it has nothing. */
function valueFor(document: unknown, path: string, type: string): string {
  const [value = '?'] = valuesUnder(document, path.split('.'))
  if (value === '?' && type !== 'keyword' && type !== 'text') return '1'
  // Templates of dates are for numbers.
  return type === 'date' && typeof value === 'string' ? String(Date.parse(value)) : String(value)
}
