import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORT_FORMATS, measureExport } from '../../bench/single/export-measurement.ts'
import { must } from '../support/http-client.ts'
import { loadBulk, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { someOf } from '../support/thorough.ts'

/**
 * 120 MiB of documents: a server that kept them would break the limit of its heap, one that kept their bytes would show
 * it in its size.
 */
const DOCUMENTS = 40_000
const TEXT = 3_000
const HEAP_MIB = 128
/** Without it, the small heap has a young generation of 1 MiB, and collecting takes most of the time. */
const YOUNG_MIB = 16
/** What an export of all may take beyond exports of some of them: the rest is 100 MiB. */
const FEW = 6_000
const ALLOWED_MIB = 90
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
  let usual = 0
  const few = `&f=n:lt:${FEW}`

  beforeAll(async () => {
    server = await startServerProcess({
      nodeFlags: [
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${HEAP_MIB}`,
        `--max-semi-space-size=${YOUNG_MIB}`,
      ],
      flags: ['--set', 'log.level=silent'],
    })
    await must(server.base, { method: 'PUT', path: '/index/bench', body: { mappings: mapping } })
    for (let first = 0; first < DOCUMENTS; first += BATCH) {
      const lines = Array.from({ length: BATCH }, (_, i) => `{"index":{}}\n${JSON.stringify(document(first + i))}\n`)
      await loadBulk(server.base, 'bench', lines.join(''))
    }
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'at' }
    await putCollection(server.base, 'bench', { index_name: 'bench', ...paths })
    // The engine fills its buffers once, and the heap grows to its limit.
    for (const format of EXPORT_FORMATS) {
      const { peakMemoryMiB = 0 } = await measureExport({ url: server.base, pid: server.pid }, format, FEW, few)
      usual = Math.max(usual, peakMemoryMiB)
    }
  })
  afterAll(async () => {
    await server.stop()
    await server.removeData()
  })

  it.each(someOf(EXPORT_FORMATS, 2 / 5))('%s: memory does not grow with them', async (format) => {
    const all = await measureExport({ url: server.base, pid: server.pid }, format, DOCUMENTS)
    expect(all.mebibytes).toBeGreaterThan(format === 'geoparquet' || format === 'shapefile' ? 0.5 : 90)
    expect(usual).toBeGreaterThan(0)
    expect(all.peakMemoryMiB ?? Infinity).toBeLessThan(usual + ALLOWED_MIB)
  })
})
