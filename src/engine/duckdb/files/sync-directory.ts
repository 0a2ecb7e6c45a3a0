import { open } from 'node:fs/promises'

/** Makes the creation, renaming and removal of files in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory and does not need this.
  if (process.platform === 'win32') return
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
