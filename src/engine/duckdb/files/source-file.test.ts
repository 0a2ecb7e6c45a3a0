import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../bench/data/random.ts'
import { seed } from '../../../../test/support/seed.ts'
import { SourceFile } from './source-file.ts'
import type { SourcePlace } from './source-pieces.ts'

let directory: string
let path: string
let file: SourceFile

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-sources-'))
  path = join(directory, 'one')
  file = await SourceFile.create(path)
})

afterEach(async () => {
  await file.close()
  rmSync(directory, { recursive: true })
})

const texts = async (places: readonly SourcePlace[]): Promise<string[]> => (await file.read(places)).map(String)

/** Writes texts one after the other, starting at `at`. Returns their extents. */
async function writeAll(at: number, written: readonly string[]): Promise<SourcePlace[]> {
  let end = at
  const places = written.map((text) => {
    const place = { at: end, size: Buffer.byteLength(text) }
    end += place.size
    return place
  })
  await file.write(at, [Buffer.from(written.join(''))])
  return places
}

describe('a source file', () => {
  it('answers texts in the order asked for, the first and the last byte included', async () => {
    const written = ['{"a":1}', '', '{"b":"é漢😀"}', '{}']
    const places = await writeAll(0, written)
    await file.sync()
    expect(await texts(places)).toEqual(written)
    expect(await texts([...places].reverse())).toEqual([...written].reverse())
    expect(await texts([])).toEqual([])
    expect(await file.size()).toBe(Buffer.byteLength(written.join('')))
  })

  it('answers texts scattered over many pieces, and long ones', async () => {
    const random = seededRandom(seed)
    const written = Array.from({ length: 20_000 }, (_, i) => `${i}:${'x'.repeat(random.below(900))}`)
    written[7_777] = 'y'.repeat(3 * 1024 * 1024)
    const places = await writeAll(0, written)
    for (const every of [1, 3, 40, 700]) {
      const wanted = [...places.keys()].filter((i) => i % every === 0 || i === 7_777)
      const order = wanted.map((i) => [random.next(), i] as const).sort((a, b) => a[0] - b[0])
      const found = await texts(order.flatMap(([, i]) => places[i] ?? []))
      expect(found, `seed ${seed}, every ${every}`).toEqual(order.map(([, i]) => written[i]))
    }
  })

  it('says so when a text should lie where the file has ended', async () => {
    const [place = { at: 0, size: 0 }] = await writeAll(0, ['{"a":1}'])
    await expect(file.read([{ at: place.at, size: place.size + 1 }])).rejects.toThrow('ends at byte 7')
    await expect(file.read([place, { at: 1_000_000, size: 1 }])).rejects.toThrow('ends at')
  })

  it('is read while it is written to', async () => {
    const first = Array.from({ length: 3_000 }, (_, i) => `first-${i}-${'x'.repeat(i % 500)}`)
    const places = await writeAll(0, first)
    let end = await file.size()
    const writing = (async () => {
      for (let round = 0; round < 30; round++) {
        const added = await writeAll(end, [`later-${round}-${'z'.repeat(50_000)}`])
        await file.sync()
        end += added[0]?.size ?? 0
      }
    })()
    for (let round = 0; round < 10; round++) expect(await texts(places)).toEqual(first)
    await writing
  })

  it('overwrites what a failed write left behind the end', async () => {
    const [kept] = await writeAll(0, ['{"kept":true}'])
    await writeAll(13, ['{"never":"committed, and longer"}'])
    const [next] = await writeAll(13, ['{"next":1}'])
    expect(kept && next && (await texts([kept, next]))).toEqual(['{"kept":true}', '{"next":1}'])
  })

  it('is gone at once when removed, and read by those who hold it until they release it', async () => {
    const [place] = await writeAll(0, ['{"a":1}'])
    file.hold()
    file.hold()
    await file.remove()
    expect(existsSync(path)).toBe(false)
    expect(() => file.hold()).toThrow()
    await file.release()
    expect(place && (await texts([place]))).toEqual(['{"a":1}'])
    await file.release()
    await expect(file.read([{ at: 0, size: 1 }])).rejects.toThrow()
    file = await SourceFile.create(path)
  })
})
