import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary directory for downloaded responses. */
export interface Downloads {
  readonly directory: string
  /** Downloads a file and returns its path. Throws on an error response. */
  readonly fetch: (url: string, name: string, headers?: Readonly<Record<string, string>>) => Promise<string>
  readonly remove: () => Promise<void>
}

export async function makeDownloads(): Promise<Downloads> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-downloads-'))
  return {
    directory,
    fetch: async (url, name, headers = {}) => {
      const response = await fetch(url, { headers })
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.status !== 200) throw new Error(`${url} returned ${response.status} ${Buffer.from(bytes)}`)
      const path = join(directory, name)
      await writeFile(path, bytes)
      return path
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
