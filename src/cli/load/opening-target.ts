import type { LoadTarget } from '../../ingest/load/load-target.ts'
import { describeFiles } from '../../ingest/open/describe-files.ts'
import type { Source } from '../../ingest/source/open-sources.ts'
import type { Connection } from '../client/connection.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { targetOf } from './connected-target.ts'

/** Target that indexes documents and leaves them in their files. Only for a data directory that this process opened. */
export function openingTarget(
  connection: Connection,
  sources: readonly Source[],
  { crs }: { readonly crs?: string },
): LoadTarget {
  const { engine, url } = connection
  if (url !== undefined) {
    throw new CliFault(
      `The server at ${url} uses the data directory: stop it, open the files, and start it again. Files cannot be opened over HTTP.`,
    )
  }
  if (engine?.seal === undefined) {
    throw new CliFault('Only the embedded engine can open files in place: use "periplus load" with a cluster.')
  }
  const seal = engine.seal.bind(engine)
  const target = targetOf(connection)
  return {
    ...target,
    createIndex: async (index, mapping, { shape }) => {
      const opened = await describeFiles(sources, { shape, ...(crs === undefined ? {} : { crs }) })
      await engine.createIndex(index, mapping, opened)
    },
    write: (index, documents) => {
      const operations = documents.map(
        ({ row, ...document }) => ({ kind: 'index', ...document, fileRow: row }) as const,
      )
      return engine.write(index, operations, { silent: true })
    },
    complete: seal,
  }
}
