import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCollections } from '../../src/collections/collections.ts'
import { openSqliteReferenceStore } from '../../src/collections/sqlite-reference-store.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/engine.ts'
import { buildServer } from '../../src/http/server.ts'
import type { RunningServer } from './engines.ts'
import { testSettings } from './test-settings.ts'

/** A whole server with the embedded engine in this process, on a free loopback port and an empty data directory. */
export async function startEmbeddedServer(): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  const settings = testSettings(directory)
  const now = (): number => Date.now()
  const engine = await openDuckdbEngine({ directory, ...settings.engine })
  const store = openSqliteReferenceStore(join(directory, 'metadata.sqlite'))
  const collections = createCollections({ store, engine, settings, now })
  const app = await buildServer({ settings, engine, collections, store, now, version: 'test' })
  const base = await app.listen({ host: settings.server.host, port: 0 })
  return {
    base,
    stop: async () => {
      await app.close()
      await store.close()
      await engine.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
