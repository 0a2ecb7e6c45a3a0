import type { IdentifierFile } from '../files/identifier-file.ts'
import type { RowFile } from '../files/row-file.ts'
import type { SourceFile } from '../files/source-file.ts'

/** Files of an index next to the database. */
export interface IndexFiles {
  readonly sources: SourceFile
  /** Written anew by each arrangement. */
  readonly identifiers?: IdentifierFile
  readonly rows?: RowFile
}

const allOf = ({ sources, identifiers, rows }: IndexFiles): readonly SourceFile[] =>
  [sources, identifiers?.file, rows?.file].filter((file) => file !== undefined)

/** Keeps the files open until they are released. */
export function holdFiles(files: IndexFiles): void {
  for (const file of allOf(files)) file.hold()
}

export async function releaseFiles(files: IndexFiles): Promise<void> {
  for (const file of allOf(files)) await file.release()
}

export async function closeFiles(files: IndexFiles): Promise<void> {
  for (const file of allOf(files)) await file.close()
}

/** Removes the files except those in `kept`. */
export async function removeFiles(files: IndexFiles, kept?: IndexFiles): Promise<void> {
  const used = kept ? allOf(kept) : []
  for (const file of allOf(files)) if (!used.includes(file)) await file.remove()
}
