import { hash } from 'node:crypto'

/** Markup that is safe to send without escaping. */
export interface Html {
  readonly markup: string
}

type Piece = string | number | Html | readonly Html[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Template tag that escapes all interpolated values except markup created by this tag. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const markup = parts.reduce((text, part, i) => text + part + (i < pieces.length ? print(pieces[i] ?? '') : ''), '')
  return { markup }
}

/** Trusted text that must not be escaped: the content of style and script elements. */
export function raw(markup: string): Html {
  return { markup }
}

function print(piece: Piece): string {
  if (typeof piece === 'string') return piece.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
  if (typeof piece === 'number') return String(piece)
  return 'markup' in piece ? piece.markup : piece.map((item) => item.markup).join('')
}

/** Returns the Content-Security-Policy of a page: allows exactly these inline texts, and same-origin requests. */
export function contentPolicy(inline: { readonly style: string; readonly script?: string }): string {
  const source = (text: string | undefined): string =>
    text === undefined ? "'none'" : `'sha256-${hash('sha256', text, 'base64')}'`
  return [
    "default-src 'self'",
    `style-src ${source(inline.style)}`,
    `script-src ${source(inline.script)}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
