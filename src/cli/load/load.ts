import type { LoadOptions } from '../../ingest/load/load-files.ts'
import { loadFiles } from '../../ingest/load/load-files.ts'
import type { LoadedRows } from '../../ingest/load/load-rows.ts'
import type { LoadReport, LoadTarget } from '../../ingest/load/load-target.ts'
import { FileSet } from '../../ingest/plan/file-set.ts'
import type { Sources } from '../../ingest/source/open-sources.ts'
import type { Connection } from '../client/connection.ts'
import { exitCodes } from '../terminal/cli-fault.ts'
import { Interruption } from '../terminal/interruption.ts'
import { Progress, printCount, printDocuments } from '../terminal/progress.ts'
import { ownCommand } from '../terminal/version.ts'
import { targetOf } from './connected-target.ts'
import { readMappingFile } from './mapping-file.ts'
import { defaultRejectFile, RejectFile } from './reject-file.ts'

export interface CommandOptions extends Omit<LoadOptions, 'mapping'> {
  /** JSON file. */
  readonly mapping?: string
  readonly rejects?: string
  readonly url?: string
}

/** How files are loaded, if not by writing their documents. */
interface LoadWay {
  readonly target?: LoadTarget
  /** For the message at the end. */
  readonly verb?: 'Loaded' | 'Opened'
}

/** Minimum documents of a load to announce the compaction; smaller loads are compacted almost at once. */
const LARGE_LOAD = 100_000

/** Loads files into an index and registers the collection. Returns the exit code. */
export async function load(
  connection: Connection,
  sources: Sources,
  options: CommandOptions,
  port: number,
  { target = targetOf(connection), verb = 'Loaded' }: LoadWay = {},
): Promise<number> {
  const { mapping: mappingFile, ...others } = options
  const stated = mappingFile === undefined ? undefined : readMappingFile(mappingFile)
  for (const note of stated?.notes ?? []) say(`Note: ${note}.`)
  const files = new FileSet(sources.files, options)
  const rejects = new RejectFile(options.rejects ?? defaultRejectFile(sources.files))
  const size = await sizeOf(sources)
  // begins when the files were checked, so that the rate is the one of loading
  let progress = new Progress(process.stderr, size)
  const interruption = new Interruption()
  const { signal } = interruption
  const report: LoadReport = {
    say: (text) => {
      progress.clear()
      say(text)
    },
    start: () => {
      // Before, nothing is written, and the command ends at once.
      interruption.listen()
      progress = new Progress(process.stderr, size)
    },
    reject: (rows) => rejects.add(rows),
    progress: (advance) => progress.update(advance),
  }
  try {
    for (const note of sources.notes) say(note)
    const loadOptions = { ...others, signal, ...(stated === undefined ? {} : { mapping: stated.mapping }) }
    const { plan, index, collection, loaded } = await loadFiles(target, files, sources.title, loadOptions, report)
    if (loaded === undefined) {
      console.log(JSON.stringify(plan.mapping, null, 2))
      return exitCodes.done
    }
    const { seconds } = progress
    progress.clear()
    if (loaded.created + loaded.replaced >= LARGE_LOAD) {
      say('Compacting the storage (searches are possible meanwhile) ...')
    }
    await connection.settle(index)
    describeLoaded(connection, loaded, index, seconds, verb)
    if (loaded.rejected > 0) {
      say(`Rejected ${printDocuments(loaded.rejected)}: see ${rejects.path} for the reasons.`)
    }
    if (collection === undefined) {
      say(
        `To explore the index, register it: periplus collections put NAME --index ${index} --id-path ... (see --help).`,
      )
    } else say(describeMap(connection, collection, port))
    return loaded.rejected > 0 ? exitCodes.rejected : exitCodes.done
  } finally {
    interruption.ignore()
    progress.clear()
    rejects.close()
    files.close()
  }
}

function describeLoaded(
  { where }: Connection,
  { created, replaced }: LoadedRows,
  index: string,
  seconds: number,
  verb: string,
): void {
  const speed = printCount((created + replaced) / Math.max(seconds, 0.001))
  const again = replaced > 0 ? ` (${printCount(replaced)} of them replaced existing documents)` : ''
  const what = `${printDocuments(created + replaced)}${again}`
  say(
    `${verb} ${what} ${verb === 'Loaded' ? 'into' : 'as'} index ${index} in ${seconds.toFixed(1)} s, ${speed}/s (${where}).`,
  )
}

/** Tells where the collection is shown; without a running server, how to start one. */
function describeMap({ url }: Connection, collection: string, port: number): string {
  const page = `${url ?? `http://localhost:${port}`}/#/${encodeURIComponent(collection)}`
  const start = url === undefined ? `start the server with "${ownCommand} serve" and open ` : 'open '
  return `Registered as collection ${collection}. To see it on the map, ${start}${page}`
}

async function sizeOf({ files }: Sources): Promise<number | undefined> {
  if (files.some(({ file }) => file === '-')) return undefined
  const { stat } = await import('node:fs/promises')
  const sizes = await Promise.all(files.map(async ({ file }) => (await stat(file).catch(() => ({ size: 0 }))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Messages go to standard error, so that standard output contains only the mapping. */
function say(text: string): void {
  console.error(text)
}
