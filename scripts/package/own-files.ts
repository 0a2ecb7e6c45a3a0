import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'rolldown'

/** `new URL('./file', import.meta.url)`: how the sources name files of their own. */
const OWN_FILE = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g

/** Folders of the checkout that have another name in the package. */
const RENAMED: Readonly<Record<string, string>> = { '.cache/explorer': 'explorer' }

interface Places {
  /** The checkout. */
  readonly root: string
  /** The package, with the bundled code in `lib`. */
  readonly target: string
}

/**
 * Lets bundled code find its files. All code is bundled into one folder, so that paths relative to the sources no longer
 * hold. A worker becomes an entry of the bundle; other files of `src` and of dependencies are copied beside the code;
 * files outside `src` are expected at the same place in the package.
 */
export function ownFiles({ root, target }: Places): Plugin {
  const src = path.join(root, 'src')
  return {
    name: 'own-files',
    transform(code, id) {
      if (!code.includes('import.meta')) return undefined
      const isOurs = id.startsWith(src + path.sep)
      const moved = code.replace(OWN_FILE, (_whole, written: string) => {
        const file = path.resolve(path.dirname(id), written)
        return `new URL('${isOurs && !file.startsWith(src + path.sep) ? outside(file) : inside(file)}', import.meta.url)`
      })
      // dependencies use it for other purposes, such as createRequire
      if (isOurs && /import\.meta(?!\.url\))/.test(moved)) {
        this.error(`${path.relative(root, id)}: write new URL('./file', import.meta.url), which the bundle understands`)
      }
      const emit = (file: string): void => {
        this.emitFile({ type: 'chunk', id: file, fileName: scriptName(file) })
      }
      for (const [, written = ''] of isOurs ? code.matchAll(OWN_FILE) : []) {
        if (written.endsWith('.ts')) emit(path.resolve(path.dirname(id), written))
      }
      return moved
    },
  }

  function outside(file: string): string {
    const place = path.relative(root, file)
    return `../${RENAMED[place] ?? place}`
  }

  function inside(file: string): string {
    if (file.endsWith('.ts')) return `./${scriptName(file)}`
    const name = path.basename(file)
    mkdirSync(path.join(target, 'lib'), { recursive: true })
    cpSync(file, path.join(target, 'lib', name), { errorOnExist: true })
    return `./${name}`
  }
}

const scriptName = (file: string): string => `${path.basename(file, '.ts')}.js`
