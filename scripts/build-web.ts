import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const sources = path.join(root, 'web')

/** Directory of the built page, read by the server. */
const builtPage = path.join(root, '.cache', 'explorer')

const STAMP = 'stamp'

/** The explorer, and the API page. */
const PAGES = ['index.html', 'docs.html']

/** Names the npm packages that the pages contain. */
export const PAGE_PACKAGES = 'packages.json'

/** Hash of everything the page is built from: its sources, this file and the versions of its libraries. */
export function stampOf(directory: string = sources): string {
  const hash = createHash('sha256')
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  for (const file of [...files, fileURLToPath(import.meta.url), path.join(root, 'package-lock.json')]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

/** True if the existing page was built from the current sources. */
export function isBuilt(directory: string = builtPage, stamp: string = stampOf()): boolean {
  const file = path.join(directory, STAMP)
  return existsSync(file) && readFileSync(file, 'utf8') === stamp
}

/** Builds the explorer page if its sources have changed. Returns true if it did. */
export async function buildPage(say: (line: string) => void = () => undefined): Promise<boolean> {
  const stamp = stampOf()
  if (isBuilt(builtPage, stamp)) return false
  say('Building the pages (once, takes a few seconds)...')
  const made = `${builtPage}-${process.pid}`
  try {
    const packages = await bundle(made)
    writeFileSync(path.join(made, PAGE_PACKAGES), JSON.stringify(packages))
    writeFileSync(path.join(made, STAMP), stamp)
    replaceDirectory(made, builtPage)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return true
}

/** Builds the page; returns the names of the npm packages in it. */
async function bundle(target: string): Promise<readonly string[]> {
  const { build } = await import('vite')
  mkdirSync(target, { recursive: true })
  const built = await build({
    root: sources,
    // relative URLs, because the server may be behind a prefix
    base: './',
    configFile: false,
    logLevel: 'error',
    cacheDir: path.join(root, 'node_modules', '.cache', 'vite'),
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      assetsDir: 'explorer',
      assetsInlineLimit: 0,
      rolldownOptions: { input: PAGES.map((name) => path.join(sources, name)) },
      // supported by all browsers that run MapLibre
      target: 'es2022',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2_000,
    },
  })
  if ('close' in built) throw new Error('the page was watched instead of built')
  const chunks = [built].flat().flatMap(({ output }) => output)
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [])
  return [...new Set(names)].sort()
}

/** Replaces a directory by renaming. Two concurrent builds both end with a complete page; the later one wins. */
function replaceDirectory(made: string, target: string): void {
  const former = `${made}-former`
  if (existsSync(target)) renameSync(target, former)
  try {
    renameSync(made, target)
  } finally {
    rmSync(former, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPage((line) => console.error(line))
