import path from 'node:path'
import { EgressDenied, NameNotResolved } from '../../access/egress/egress-denied.ts'
import { download } from '../../access/egress/egress-download.ts'
import { createEgressGuard } from '../../access/egress/egress-guard.ts'
import type { Settings } from '../../config/settings.ts'
import type { FetchPart } from '../../ingest/follow/growing-url.ts'
import { InputFault } from '../../ingest/source/input-fault.ts'
import { saveFile } from '../../ingest/source/open-sources.ts'

const CONNECT_MS = 10_000

/** Returns a function that downloads a file into a folder, if the rules for outgoing requests allow its URL. */
export function downloader({ egress }: Settings): (url: string, folder: string) => Promise<string> {
  const guard = createEgressGuard({ settings: egress })
  const { proxy } = egress
  return async (url, folder) => {
    try {
      const options = { connectTimeoutMs: CONNECT_MS, ...(proxy === undefined ? {} : { proxy }) }
      return await download(guard, options, url, async ({ status, url: from, fileName, body }) => {
        if (status !== 200) throw new InputFault(`${url} cannot be downloaded: the server responded with ${status}.`)
        return saveFile(folder, fileName ?? path.basename(new URL(from).pathname), body)
      })
    } catch (error) {
      if (error instanceof InputFault) throw error
      throw new InputFault(`${url} cannot be downloaded: ${describe(error)}.`)
    }
  }
}

/** Returns a function that requests parts of a file, if the rules for outgoing requests allow its URL. */
export function partFetcher({ egress }: Settings): FetchPart {
  const guard = createEgressGuard({ settings: egress })
  const { proxy } = egress
  return async (url, headers, signal, use) => {
    try {
      const options = { connectTimeoutMs: CONNECT_MS, headers, signal, ...(proxy === undefined ? {} : { proxy }) }
      return await download(guard, options, url, use)
    } catch (error) {
      if (error instanceof EgressDenied) throw new InputFault(`${url} cannot be read: ${describe(error)}.`)
      throw error instanceof NameNotResolved ? new Error(describe(error)) : error
    }
  }
}

function describe(error: unknown): string {
  if (error instanceof EgressDenied) {
    return `it is ${error.message}; hosts of this machine and its network are listed in the setting egress.allow`
  }
  if (error instanceof NameNotResolved) return 'its host name does not resolve'
  return error instanceof Error ? error.message : String(error)
}
