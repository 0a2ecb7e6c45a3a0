import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory that answers of a server are kept in, as a client would. */
export interface Downloads {
  readonly directory: string
  /** Fetches a file; answers where it lies. A refusal is thrown. */
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
      if (response.status !== 200) throw new Error(`${url} answered ${response.status} ${Buffer.from(bytes)}`)
      const path = join(directory, name)
      await writeFile(path, bytes)
      return path
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
