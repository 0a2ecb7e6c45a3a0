import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { collections, documents, mapping, toBulk } from '../../conformance/dataset.ts'
import { startEmbeddedServer } from '../../support/embedded-server.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { type Downloads, makeDownloads } from '../downloads.ts'
import { drawnDocuments, drawnMapping, drawnParams } from '../drawn-documents.ts'
import { describeWithReaders } from '../readers.ts'
import { checkPng, differenceFromStored } from './picture.ts'

describeWithReaders('pictures of tiles', () => {
  let server: RunningServer
  let downloads: Downloads

  beforeAll(async () => {
    server = await startEmbeddedServer()
    downloads = await makeDownloads()
    const lines = drawnDocuments().map((document) => `{"index":{}}\n${JSON.stringify(document)}\n`)
    await createIndex(server.base, 'sea', drawnMapping, lines.join(''))
    await putCollection(server.base, 'sea', { index_name: 'sea', ...drawnParams })
    await createIndex(server.base, 'dataset', mapping, toBulk(documents()))
    const { raster_tile_url: _, ...drawn } = collections.geodata
    await putCollection(server.base, 'squares', drawn)
  })
  afterAll(async () => {
    await server.stop()
    await downloads.remove()
  })

  it.each([
    ['sea-world', 'sea', '0/0/0', ''],
    ['sea-west', 'sea', '1/0/0', ''],
    ['sea-region', 'sea', '3/4/3', ''],
    ['sea-boats', 'sea', '3/4/3', 'f=kind:eq:boat'],
    ['sea-coast', 'sea', '5/17/12', ''],
    ['sea-harbour', 'sea', '8/138/101', ''],
    ['squares-quarter', 'squares', '1/1/0', ''],
    ['squares-near', 'squares', '4/8/7', ''],
  ])('%s', async (name, collection, place, query) => {
    const path = await downloads.fetch(
      `${server.base}/explore/${collection}/_tile/${place}.png?${query}`,
      `${name}.png`,
    )
    await checkPng(path)
    expect(await differenceFromStored(name, await readFile(path))).toBeUndefined()
  })

  it('a picture that is another is noticed', async () => {
    const path = await downloads.fetch(`${server.base}/explore/sea/_tile/3/4/3.png?f=kind:eq:zone`, 'zones.png')
    expect(await differenceFromStored('sea-region', await readFile(path))).toMatch(/pixels are others/)
  })
})
