import { readFileSync } from 'node:fs'
import { type Html, html, raw } from './html.ts'

export const baseStyle = readFileSync(new URL('./page.css', import.meta.url), 'utf8')

const mark = raw(
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><circle cx="16" cy="16" r="14" fill="none" ' +
    'stroke="currentColor" stroke-width="2"/><path d="M16 5l4 11-4 11-4-11z" fill="currentColor"/>' +
    '<circle cx="16" cy="16" r="2" fill="var(--paper)"/></svg>',
)

interface Layout {
  readonly title: string
  readonly version: string
  readonly style: string
  readonly script?: string
  /** Links relative to the root of the server, so that they work behind a proxy prefix. */
  readonly links: readonly { readonly href: string; readonly text: string }[]
}

/** Renders a page with the common header and footer. */
export function layout(page: Layout, body: Html): string {
  const script = page.script === undefined ? raw('') : raw(`<script>${page.script}</script>`)
  const links = page.links.map(({ href, text }) => html`<a href="${href}">${text}</a>`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="icon" href="data:,">
<style>${raw(page.style)}</style>
</head>
<body>
<header><a class="brand" href="./">${mark}<span>Periplus</span></a><span class="version">${page.version}</span><nav>${links}</nav></header>
<main>
${body}
</main>
${script}
</body>
</html>
`.markup
}
