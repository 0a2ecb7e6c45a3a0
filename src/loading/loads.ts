import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Collections } from '../collections/collections.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import type { LoadOptions } from '../ingest/load/load-files.ts'
import type { Access } from '../query/access/access.ts'
import { CollectedReport, type LoadAnswer, type LoadEvent, loadAnswer } from './load-report.ts'
import { runLoadThread } from './load-thread.ts'
import { serverTarget } from './server-target.ts'
import { type Upload, UploadFolder } from './upload-folder.ts'

/** A file to be loaded, as it arrives. */
export interface UploadRequest {
  readonly content: Readable
  /** Name of the file, which tells its format and, without a title, the name of the index. */
  readonly name: string
  /** Name of the index and the collection. */
  readonly title?: string
  readonly options: LoadOptions
  readonly access: Access
  readonly signal: AbortSignal
  readonly tooLarge: () => Error
}

/** Loads of uploaded files. */
export interface Loads {
  /** Removes what a server that was killed left behind. Call it when the server starts. */
  sweep(): Promise<void>
  /**
   * Stores the file, loads it and removes it. Throws TOO_MANY_REQUESTS if too many files are being loaded. If loading
   * fails or the signal aborts, an index that was created is dropped.
   */
  load(request: UploadRequest, tell?: (event: LoadEvent) => void): Promise<LoadAnswer>
}

interface LoadsOptions {
  readonly settings: Settings
  readonly engine: Engine
  readonly collections: Collections
  readonly onFault: (error: unknown) => void
}

const UPLOADS = 'uploads'

export function createLoads({ settings, engine, collections, onFault }: LoadsOptions): Loads {
  const { loads, loadBytes, loadUnpackedBytes, loadMemoryMiB } = settings.limits
  const folder = new UploadFolder(path.join(path.resolve(settings.data.directory), UPLOADS))
  const drop = async (index: string): Promise<void> => {
    if ((await engine.indices(index)).length > 0) await engine.dropIndex(index)
  }
  const sweep = (): Promise<void> => folder.sweep(drop).catch(onFault)
  let running = 0

  const run = async (request: UploadRequest, upload: Upload, tell: (event: LoadEvent) => void) => {
    const { name, title, options, access, signal } = request
    const report = new CollectedReport(upload.bytes, tell)
    const job = {
      ...{ file: upload.file, folder: upload.folder, name, mostUnpacked: loadUnpackedBytes, options },
      ...(title === undefined ? {} : { title }),
    }
    const target = serverTarget({ engine, collections, access, signal })
    return loadAnswer(await runLoadThread(job, { target, report, upload, memoryMiB: loadMemoryMiB, signal }), report)
  }

  return {
    sweep,
    load: async (request, tell = () => undefined) => {
      if (running >= loads) {
        const reason = `${loads} files are being loaded; try again later`
        throw problem('TOO_MANY_REQUESTS', { reason, setting: 'limits.loads' }, { 'Retry-After': '5' })
      }
      running += 1
      try {
        const limit = { bytes: loadBytes, tooLarge: request.tooLarge }
        const upload = await folder.receive(request.content, request.name, limit)
        try {
          return await run(request, upload, tell)
        } finally {
          await upload.remove()
        }
      } finally {
        running -= 1
      }
    },
  }
}
