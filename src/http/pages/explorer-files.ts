import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { strongTag } from '../entity-tag.ts'

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

/** Nothing inline, nothing from elsewhere; map styles use images made by the page. */
export const explorerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
