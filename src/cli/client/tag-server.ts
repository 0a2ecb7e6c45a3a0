import { findServer } from '../serve/server-file.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { settingsOf } from '../terminal/settings-options.ts'
import { connect } from './connect.ts'
import type { Connection } from './connection.ts'

/** Options every command about tags has. */
export interface TagTarget {
  readonly url?: string
  readonly json?: boolean
}

/** Works with a running server: without one, nobody would carry a request out. A cluster may be served from elsewhere. */
export async function withTagServer(
  options: TagTarget,
  work: (connection: Connection) => Promise<number>,
): Promise<void> {
  const settings = settingsOf({ ...options })
  const { directory } = settings.data
  const isElsewhere = options.url !== undefined || settings.engine.kind === 'cluster'
  if (!isElsewhere && (await findServer(directory)) === undefined) {
    throw new CliFault(
      `No server uses the data directory ${directory}: start one with "periplus serve", or name one with --url.`,
    )
  }
  const connection = await connect(settings, options.url)
  try {
    process.exitCode = await work(connection)
  } finally {
    await connection.close()
  }
}
