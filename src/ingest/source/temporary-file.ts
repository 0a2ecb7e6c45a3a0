import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Makes a private temporary folder. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'periplus-load-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns the path of a file that does not exist yet, in a private temporary folder. */
export function temporaryFile(): { readonly path: string; remove(): void } {
  const folder = temporaryFolder()
  return { path: path.join(folder.path, 'content'), remove: folder.remove }
}
