import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Where files are unpacked. */
export interface Scratch {
  readonly folder: string
  /** Most bytes that a file may have when it is unpacked. */
  readonly mostUnpacked: number
}

/** Makes a private temporary folder, in that of the system by default. */
export function temporaryFolder(parent = tmpdir()): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(parent, 'periplus-load-'))
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Returns the path of a file that does not exist yet, in a private temporary folder. */
export function temporaryFile(parent?: string): { readonly path: string; remove(): void } {
  const folder = temporaryFolder(parent)
  return { path: path.join(folder.path, 'content'), remove: folder.remove }
}
