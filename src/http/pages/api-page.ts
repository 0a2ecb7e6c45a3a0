import { readFileSync } from 'node:fs'
import { contentPolicy, html } from './html.ts'
import { baseStyle, layout } from './layout.ts'

const style = baseStyle + readFileSync(new URL('./api-page.css', import.meta.url), 'utf8')
const script = readFileSync(new URL('./api-page.js', import.meta.url), 'utf8')

export const apiPolicy = contentPolicy({ style, script })

/** The page at `/docs`: the OpenAPI document, rendered in the browser from this server alone. */
export function apiPage(version: string): string {
  const body = html`<h1>API</h1>
<p class="lead" id="about">All operations of this server, from its <a href="openapi.json">OpenAPI document</a>.</p>
<input id="search" type="search" placeholder="Filter by path or text" aria-label="Filter operations">
<div id="operations" aria-live="polite"><p>Loading…</p></div>
<noscript><p>This page needs JavaScript. The <a href="openapi.json">OpenAPI document</a> does not.</p></noscript>`
  const links = [
    { href: './', text: 'Explorer' },
    { href: 'status-page', text: 'Status' },
    { href: 'openapi.json', text: 'OpenAPI' },
  ]
  return layout({ title: 'Periplus API', version, style, script, links }, body)
}
