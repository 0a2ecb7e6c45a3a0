import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { createIndex, deleteCollection, dropIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import { checkShapefiles } from './check-shapefiles.ts'
import { checkTables } from './check-tables.ts'
import { type Downloads, makeDownloads } from './downloads.ts'
import { leavesOf, shapesOf } from './expected-cells.ts'
import { isColumn, mapping, paths, type RandomDocument, randomDocuments } from './random-documents.ts'
import { describeWithReaders } from './readers.ts'

const NAME = 'random'

describeWithReaders('files of random documents', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  it('hold what the JSON answer holds', async () => {
    const until = Date.now() + 15_000
    let tried = 0
    const property = fc.asyncProperty(randomDocuments, async (documents) => {
      if (tried++ === 0 || Date.now() < until) await check(documents)
    })
    // Every attempt starts several programs: what fails is told as it is, not made smaller.
    await fc.assert(property, { seed, numRuns: 12, endOnFailure: true })
  })

  async function check(documents: readonly RandomDocument[]): Promise<void> {
    const { base } = server
    const lines = documents.map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
    await createIndex(base, NAME, mapping, lines.join(''))
    await putCollection(base, NAME, { ...paths, index_name: NAME })
    const leaves = leavesOf(mapping).filter(isColumn)
    const searched = { base, collection: NAME, query: 'sort=id', downloads, leaves, shapes: shapesOf(mapping) }
    await checkTables(searched)
    await checkShapefiles(searched)
    await deleteCollection(base, NAME)
    await dropIndex(base, NAME)
  }
})
