import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { strongTag } from '../answer/entity-tag.ts'
import { html } from './html.ts'

/** Where `scripts/build-web.ts` puts the page. */
const BUILT = fileURLToPath(new URL('../../../.cache/explorer', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface PageFile {
  readonly content: Buffer
  readonly type: string
  readonly tag: string
}

export interface ExplorerFiles {
  readonly page: PageFile
  /** What the page loads, by name. Names change with contents. */
  readonly assets: ReadonlyMap<string, PageFile>
}

/** The built page, read into memory; undefined when it has not been built. */
export function readExplorerFiles(directory: string = BUILT): ExplorerFiles | undefined {
  const index = path.join(directory, 'index.html')
  if (!existsSync(index)) return undefined
  const assets = path.join(directory, 'explorer')
  const names = readdirSync(assets).filter((name) => path.extname(name) in TYPES)
  return {
    page: readPageFile(index),
    assets: new Map(names.map((name) => [name, readPageFile(path.join(assets, name))])),
  }
}

function readPageFile(file: string): PageFile {
  const content = readFileSync(file)
  return { content, type: TYPES[path.extname(file)] ?? 'application/octet-stream', tag: strongTag(content) }
}

export interface Basemap {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly url: string
  readonly attribution?: string | undefined
}

/** The page, told of the map to draw under the documents. */
export function withBasemap({ content, type }: PageFile, { url, attribution = '' }: Basemap): PageFile {
  const { markup } =
    html`<meta name="periplus-basemap" content="${url}"><meta name="periplus-basemap-attribution" content="${attribution}">`
  const told = Buffer.from(content.toString('utf8').replace('</head>', () => `${markup}</head>`))
  return { content: told, type, tag: strongTag(told) }
}

/**
 * A worker obeys the policy of its own file, not that of the page. It may fetch from anywhere: the tiles of a basemap are
 * not known here, since files stay in caches when the settings change.
 */
export const assetPolicy = "script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Nothing inline; nothing from elsewhere but the tiles of a basemap; map styles use images made by the page. */
export const explorerPolicy = (basemap: Basemap | undefined): string => {
  const tiles = basemap === undefined ? '' : ` ${new URL(basemap.url).origin}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob:${tiles}`,
    "font-src 'self'",
    `connect-src 'self'${tiles}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
