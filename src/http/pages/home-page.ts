import { contentPolicy, type Html, html } from './html.ts'
import { baseStyle, layout } from './layout.ts'

export interface HomeCollection {
  readonly name: string
  readonly displayName?: string | undefined
  /** `missing`: the index does not exist; `unknown`: the engine did not answer in time. */
  readonly documents: number | 'missing' | 'unknown'
}

interface HomeContent {
  readonly version: string
  /** How a user calls the program. */
  readonly command: string
  readonly engine: string
  /** Base URL of the server as seen by the client, for commands to copy. */
  readonly base: string
  readonly collections: readonly HomeCollection[]
}

export const homePolicy = contentPolicy({ style: baseStyle })

const numbers = new Intl.NumberFormat('en')

/** The page at `/status-page`: the state of the server, and links to start from. */
export function homePage(content: HomeContent): string {
  const { version, engine, collections } = content
  const known = collections.map(({ documents }) => (typeof documents === 'number' ? documents : 0))
  const total = known.reduce((sum, documents) => sum + documents, 0)
  const body = html`<h1>The server is running</h1>
<p class="lead">Periplus is a server for exploring documents with a location and a time.</p>
<ul class="facts">
<li>version ${version}</li>
<li>${engine} engine</li>
<li>${plural(collections.length, 'collection')}</li>
<li>${plural(total, 'document')}</li>
</ul>
<h2>Collections</h2>
${collections.length === 0 ? emptyState(content.command) : html`<div class="cards">${collections.map(card)}</div>`}
<h2>First steps</h2>
${firstSteps(content)}`
  const links = [
    { href: './', text: 'Explorer' },
    { href: 'docs', text: 'API' },
    { href: 'openapi.json', text: 'OpenAPI' },
  ]
  return layout({ title: 'Periplus', version, style: baseStyle, links }, body)
}

function card({ name, displayName, documents }: HomeCollection): Html {
  const path = `explore/${encodeURIComponent(name)}`
  const links = [
    { href: `${path}/_search?size=5&pretty=true`, text: 'Search' },
    { href: `${path}/_geosearch?size=100&pretty=true`, text: 'GeoJSON' },
    { href: `${path}/_count?pretty=true`, text: 'Count' },
    { href: `${path}/_describe?pretty=true`, text: 'Fields' },
    { href: `collections/${encodeURIComponent(name)}?pretty=true`, text: 'Reference' },
  ].map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)
  return html`<article class="card">
<h3>${displayName ?? name}</h3>
${displayName === undefined ? html`` : html`<div class="name">${name}</div>`}
<p class="count">${countText(documents)}</p>
<ul class="links">${links}</ul>
</article>
`
}

function countText(documents: HomeCollection['documents']): Html {
  if (documents === 'missing') return html`<small>its index does not exist</small>`
  if (documents === 'unknown') return html`<small>could not be counted in time</small>`
  return html`${numbers.format(documents)} <small>${documents === 1 ? 'document' : 'documents'}</small>`
}

function plural(count: number, noun: string): string {
  return `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`
}

function emptyState(command: string): Html {
  return html`<div class="empty">
<p>There are no collections yet. Load a file and register it as a collection:</p>
<pre><code>${command} load FILE</code></pre>
<p>Supported formats: GeoJSON, CSV, Excel, shapefile, GeoPackage, Parquet and others. See <code>${command} load --help</code>.</p>
</div>`
}

function firstSteps({ base, collections }: HomeContent): Html {
  const name = encodeURIComponent(collections[0]?.name ?? 'COLLECTION')
  return html`<pre><code>curl '${base}/explore/_list?pretty=true'
curl '${base}/explore/${name}/_search?size=3&amp;pretty=true'
curl '${base}/explore/${name}/_count?q=text'</code></pre>
<p>The <a href="docs">API page</a> lists all operations with their parameters, and examples that you can send.</p>`
}
