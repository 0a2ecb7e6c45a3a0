import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PATIENT } from '../../../test/support/patience.ts'
import { type Archive, type FlatFeature, shapefileArchive } from './shapefile-archive.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-archive-test-'))
  vi.stubEnv('TMPDIR', directory)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true, force: true })
})

async function* features(): AsyncGenerator<readonly FlatFeature[]> {
  for (let n = 0; n < 100; n++) yield [{ geometry: { type: 'Point', coordinates: [n, n / 2] }, properties: { n } }]
}

const make = (from: AsyncIterable<readonly FlatFeature[]> = features()): Promise<Archive> =>
  shapefileArchive(from, {
    name: 'points',
    shapeColumns: {},
    arrangeColumns: (properties) => properties,
    mostColumns: 10,
    today: new Date('2024-05-06'),
  })

test('has removed its files when it has been read', async () => {
  const { stream } = await make()
  expect(readdirSync(directory)).toHaveLength(1)
  let bytes = 0
  for await (const chunk of stream) bytes += chunk.length
  expect(bytes).toBeGreaterThan(1_000)
  expect(readdirSync(directory)).toEqual([])
})

test.each([
  ['before a byte of it was read', 0],
  ['in the middle', 1],
])('removes its files when it is given up %s', async (_when, chunks) => {
  const { stream } = await make()
  for (let n = 0; n < chunks; n++) await new Promise((resolve) => stream.once('data', resolve))
  stream.destroy()
  await vi.waitFor(() => expect(readdirSync(directory)).toEqual([]), PATIENT)
})

test('removes its files when the features end in a failure', async () => {
  async function* failing(): AsyncGenerator<readonly FlatFeature[]> {
    yield* features()
    throw new Error('the engine went away')
  }
  await expect(make(failing())).rejects.toThrow('the engine went away')
  expect(readdirSync(directory)).toEqual([])
})
