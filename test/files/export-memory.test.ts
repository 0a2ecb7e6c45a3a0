import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_FORMATS, measureExport } from '../../bench/export-measurement.ts'
import { must } from '../support/http-client.ts'
import { loadBulk, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/**
 * 150 MiB of documents: a server that kept them would break the limit of its heap, one that kept their bytes would show
 * it in its size.
 */
const DOCUMENTS = 50_000
const TEXT = 3_000
const HEAP_MIB = 128
/** What an export of all may take beyond one of a fifth of them: four fifths are 120 MiB. */
const FEW = 10_000
const ALLOWED_MIB = 100
const BATCH = 2_000

const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    n: { type: 'integer' },
    x: { type: 'double' },
    text: { type: 'keyword', index: false },
    where: { type: 'geo_point' },
  },
}

const document = (n: number) => ({
  id: `d${n}`,
  at: n * 1000,
  n,
  x: n / 7,
  text: `${n} `.repeat(TEXT).slice(0, TEXT),
  where: { lat: (n % 160) - 80, lon: (n % 340) - 170 },
})

describe.runIf(process.platform === 'linux')('exports of many documents', () => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await startServerProcess({
      nodeFlags: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${HEAP_MIB}`],
      flags: ['--set', 'log.level=silent'],
    })
    await must(server.base, { method: 'PUT', path: '/index/bench', body: { mappings: mapping } })
    for (let first = 0; first < DOCUMENTS; first += BATCH) {
      const lines = Array.from({ length: BATCH }, (_, i) => `{"index":{}}\n${JSON.stringify(document(first + i))}\n`)
      await loadBulk(server.base, 'bench', lines.join(''))
    }
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
    await putCollection(server.base, 'bench', { index_name: 'bench', ...paths })
    // The engine fills its buffers once.
    await measureExport({ url: server.base, pid: server.pid }, 'csv', DOCUMENTS)
  }, 180_000)
  afterAll(async () => {
    await server.stop()
    await server.removeData()
  })

  it.each(EXPORT_FORMATS)('%s: memory does not grow with them', { timeout: 120_000 }, async (format) => {
    const at = { url: server.base, pid: server.pid }
    const few = await measureExport(at, format, FEW, `&f=n:lt:${FEW}`)
    const all = await measureExport(at, format, DOCUMENTS)
    expect(all.mebibytes).toBeGreaterThan(format === 'geoparquet' || format === 'shapefile' ? 0.5 : 100)
    expect((all.peakMemoryMiB ?? 0) - (few.peakMemoryMiB ?? 0)).toBeLessThan(ALLOWED_MIB)
  })
})
