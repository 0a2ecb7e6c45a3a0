import { findServer } from '../serve/server-file.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { settingsOf } from '../terminal/settings-options.ts'
import { connect } from './connect.ts'
import type { Connection } from './connection.ts'

/** Options shared by all tag commands. */
export interface TagTarget {
  readonly url?: string
  readonly json?: boolean
}

/**
 * Connects to a running server and throws if there is none, because only a server carries out requests. Not required
 * with a cluster, since another server may be running elsewhere.
 */
export async function withTagServer(
  options: TagTarget,
  work: (connection: Connection) => Promise<number>,
): Promise<void> {
  const settings = settingsOf({ ...options })
  const { directory } = settings.data
  const isElsewhere = options.url !== undefined || settings.engine.kind === 'cluster'
  if (!isElsewhere && (await findServer(directory)) === undefined) {
    throw new CliFault(
      `No server is running on the data directory ${directory}: start one with "periplus serve", or specify one with --url.`,
    )
  }
  const connection = await connect(settings, options.url)
  try {
    process.exitCode = await work(connection)
  } finally {
    await connection.close()
  }
}
