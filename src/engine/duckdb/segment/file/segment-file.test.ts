import { deepStrictEqual } from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DamagedSegment } from './damaged-segment.ts'
import { HEADER_BYTES, headerBytes, PIECE, TRAILER_BYTES, trailerBytes } from './file-format.ts'
import { openSegmentFile, removeLeftovers, removeSegmentFile } from './segment-file.ts'
import { writeSegmentFile } from './segment-file-writer.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-segment-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

const pathOf = (name: string): string => join(directory, name)

async function readBack(name: string): Promise<unknown> {
  const file = await openSegmentFile<object>(pathOf(name))
  try {
    return await file.read([])
  } finally {
    await file.close()
  }
}

async function roundTrip(data: object): Promise<unknown> {
  await writeSegmentFile(directory, 'a', data)
  return readBack('a')
}

/** How a file fails to be read. */
async function damageOf(name: string): Promise<string | undefined> {
  try {
    await readBack(name)
  } catch (error) {
    if (error instanceof DamagedSegment && error.path === pathOf(name)) return error.damage
    throw error
  }
  return undefined
}

const array = fc.oneof(
  fc.uint8Array(),
  fc.uint16Array(),
  fc.uint32Array(),
  fc.int8Array(),
  fc.int16Array(),
  fc.int32Array(),
  fc.uint8ClampedArray(),
  fc.float32Array(),
  fc.float64Array(),
  fc.bigInt64Array(),
  fc.bigUint64Array(),
)

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, array, fc.jsonValue(), fc.double(), tie('list'), tie('fields')),
  list: fc.array(tie('tree'), { maxLength: 4 }),
  fields: fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('array', 'fields', 'number', '__proto__', 'a.b', 'constructor')),
    tie('tree'),
    { maxKeys: 4, noNullPrototype: true },
  ),
}))

const example = {
  columns: {
    'place.name': { kind: 'code', codes: Uint16Array.of(3, 1, 2), terms: { bytes: Buffer.from('abc'), size: 3 } },
    time: { kind: 'number', values: Float64Array.of(1, Number.NaN, -0), packing: { base: -0, step: 1 } },
  },
  list: [Uint8Array.of(1), { rows: 7 }],
  nothing: new Uint32Array(),
}

describe('a segment file', () => {
  it('holds any plain data', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), tree, { noNullPrototype: true }), async (data) => {
        // Unlike `toStrictEqual`, this can cope with a property named `constructor`.
        deepStrictEqual(await roundTrip(data), data)
      }),
    )
  })

  it('holds large arrays, in pieces', async () => {
    for (const length of [PIECE / 8, PIECE / 8 + 1, 3 * (PIECE / 8) - 1]) {
      const values = Float64Array.from({ length }, (_, i) => i / 3)
      const bytes = new Uint8Array(values.buffer, 8, 8 * length - 13)
      deepStrictEqual(await roundTrip({ values, bytes }), { values, bytes })
    }
  })

  it('gives arrays in shared memory, and an array that occurs twice once', async () => {
    const both = new Uint32Array(1000)
    const data = (await roundTrip({ a: both, b: { c: both } })) as { a: Uint32Array; b: { c: Uint32Array } }
    expect(data.a.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(data.b.c).toBe(data.a)
    expect(statSync(pathOf('a')).size).toBeLessThan(5000)
  })

  it('reads parts on demand', async () => {
    await writeSegmentFile(directory, 'a', example)
    const file = await openSegmentFile<object>(pathOf('a'))
    expect(file.outline).toEqual({
      columns: {
        'place.name': { kind: 'code', codes: { length: 3 }, terms: { bytes: { length: 3 }, size: 3 } },
        time: { kind: 'number', values: { length: 3 }, packing: { base: -0, step: 1 } },
      },
      list: [{ length: 1 }, { rows: 7 }],
      nothing: { length: 0 },
    })
    expect(file.bytesAt(['columns', 'place.name'])).toBe(16)
    expect(file.bytesAt(['none'])).toBe(0)
    expect(await file.read(['columns', 'time'])).toStrictEqual(example.columns.time)
    expect(await file.read(['columns', 'time', 'packing', 'base'])).toBe(-0)
    expect(await file.read(['list', 1, 'rows'])).toBe(7)
    for (const path of [['none'], ['list', 'length'], ['list', 2], ['columns', 'constructor'], ['nothing', 0]]) {
      expect(await file.read(path)).toBeUndefined()
    }
    await file.close()
  })

  it('reads on after it was removed, until it is closed', async () => {
    await writeSegmentFile(directory, 'a', example)
    const file = await openSegmentFile<object>(pathOf('a'))
    rmSync(pathOf('a'))
    const reading = file.read([])
    await file.close()
    expect(await reading).toMatchObject({ list: [Uint8Array.of(1), { rows: 7 }] })
    await expect(file.read([])).rejects.toThrow('is closed')
  })

  it('replaces a file only when it is complete', async () => {
    await writeSegmentFile(directory, 'a', example)
    const impossible = [
      { at: new Date() },
      { f: () => 0 },
      { n: 1n },
      { m: new Map() },
      { v: new DataView(new ArrayBuffer(1)) },
    ]
    for (const value of impossible) {
      await expect(writeSegmentFile(directory, 'a', { ...example, value })).rejects.toThrow(TypeError)
    }
    const round: Record<string, unknown> = {}
    round.round = round
    await expect(writeSegmentFile(directory, 'a', round)).rejects.toThrow('too deeply')
    await expect(writeSegmentFile(directory, '../a', example)).rejects.toThrow('not a file name')
    await expect(writeSegmentFile(directory, 'a', { big: example.list }, AbortSignal.abort())).rejects.toThrow(
      'aborted',
    )
    expect(readdirSync(directory)).toEqual(['a'])
    expect(await readBack('a')).toMatchObject({ list: example.list })
  })

  it('leaves nothing behind if its name cannot be had', async () => {
    mkdirSync(pathOf('a'))
    await expect(writeSegmentFile(directory, 'a', example)).rejects.toThrow()
    expect(readdirSync(directory)).toEqual(['a'])
  })

  it('stops reading on abort', async () => {
    await writeSegmentFile(directory, 'a', example)
    const file = await openSegmentFile<object>(pathOf('a'))
    await expect(file.read([], AbortSignal.abort())).rejects.toThrow('aborted')
    await file.close()
  })

  it('is removed if it is a leftover', async () => {
    for (const name of ['a', 'b', 'c.123.tmp']) writeFileSync(pathOf(name), '')
    mkdirSync(pathOf('d'))
    await removeLeftovers(directory, new Set(['b']))
    expect(readdirSync(directory)).toEqual(['b', 'd'])
    await removeSegmentFile(directory, 'b')
    await removeSegmentFile(directory, 'b')
    await expect(removeSegmentFile(directory, '../b')).rejects.toThrow('not a file name')
    expect(readdirSync(directory)).toEqual(['d'])
  })
})

const small = { codes: Uint16Array.of(3, 1, 2), bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), rows: 3 }

describe('a damaged segment file', () => {
  it('is found out by every changed byte', async () => {
    await writeSegmentFile(directory, 'a', small)
    const intact = readFileSync(pathOf('a'))
    for (let at = 0; at < intact.length; at++) {
      const damaged = Buffer.from(intact)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(pathOf('a'), damaged)
      expect(await damageOf('a'), `byte ${at}`).toBeDefined()
    }
  })

  it('is found out by any number of changed bytes', async () => {
    await writeSegmentFile(directory, 'a', small)
    const intact = readFileSync(pathOf('a'))
    const change = fc.tuple(fc.nat(intact.length - 1), fc.integer({ min: 1, max: 255 }))
    const changes = fc.uniqueArray(change, { minLength: 1, maxLength: 20, selector: ([at]) => at })
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const damaged = Buffer.from(intact)
        for (const [at, flip] of changed) damaged[at] = (damaged[at] ?? 0) ^ flip
        writeFileSync(pathOf('b'), damaged)
        expect(await damageOf('b')).toBeDefined()
      }),
    )
  })

  it('is found out in the last piece of a large array', async () => {
    await writeSegmentFile(directory, 'a', { small: Uint8Array.of(1), large: new Uint8Array(2 * PIECE + 5) })
    const damaged = readFileSync(pathOf('a'))
    damaged[HEADER_BYTES + 8 + 2 * PIECE + 4] = 1
    writeFileSync(pathOf('a'), damaged)
    const file = await openSegmentFile<object>(pathOf('a'))
    expect(await file.read(['small'])).toEqual(Uint8Array.of(1))
    await expect(file.read(['large'])).rejects.toThrow('wrong checksum')
    await file.close()
  })

  it('is found out if it was truncated, extended or lost', async () => {
    await writeSegmentFile(directory, 'a', small)
    const intact = readFileSync(pathOf('a'))
    for (let length = 0; length < intact.length; length++) {
      writeFileSync(pathOf('b'), intact.subarray(0, length))
      expect(await damageOf('b'), `${length} bytes`).toBe('truncated')
    }
    writeFileSync(pathOf('b'), Buffer.concat([intact, intact.subarray(-TRAILER_BYTES)]))
    expect(await damageOf('b')).toBe('directory')
    writeFileSync(
      pathOf('b'),
      Buffer.concat([intact.subarray(0, -TRAILER_BYTES), Buffer.alloc(8), intact.subarray(-32)]),
    )
    expect(await damageOf('b')).toBe('directory')
    expect(await damageOf('none')).toBe('missing')
    mkdirSync(pathOf('folder'))
    expect(await damageOf('folder')).toBe('foreign')
    writeFileSync(pathOf('b'), 'x'.repeat(100))
    expect(await damageOf('b')).toBe('foreign')
    const newer = Buffer.from(intact)
    newer.writeUInt32LE(2, 8)
    writeFileSync(pathOf('b'), newer)
    expect(await damageOf('b')).toBe('version')
  })

  it('is found out if it was truncated while open', async () => {
    await writeSegmentFile(directory, 'a', example)
    const file = await openSegmentFile<object>(pathOf('a'))
    truncateSync(pathOf('a'), HEADER_BYTES)
    await expect(file.read([])).rejects.toThrow('is incomplete')
    await file.close()
  })

  /** A file with right checksums, but any directory. */
  function forge(arrays: Uint8Array, content: string): void {
    const trailer = trailerBytes({
      offset: HEADER_BYTES + arrays.length,
      length: Buffer.byteLength(content),
      crc: crc32(content),
    })
    writeFileSync(pathOf('a'), Buffer.concat([headerBytes(), arrays, Buffer.from(content), trailer]))
  }

  it('is found out by a directory that lies', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
    const right = { type: 'Uint8Array', offset: 16, length: 8, crcs: [crc32(bytes)] }
    const tree = { fields: { a: { array: 0 } } }
    forge(bytes, JSON.stringify({ arrays: [right], tree }))
    expect(await readBack('a')).toEqual({ a: bytes })
    const wrong: unknown[] = [
      { length: 2 ** 50 },
      { length: 1e308 },
      { length: -1 },
      { length: 7.5 },
      { length: '8' },
      { length: 16 },
      { length: 0, crcs: [] },
      { type: 'Float64Array' },
      { type: 'Float64Array', length: 2 ** 53 - 1 },
      { type: 'Array' },
      { type: 'constructor' },
      { offset: 0 },
      { offset: 24 },
      { offset: 2 ** 50 },
      { crcs: [] },
      { crcs: [1, 2] },
      { crcs: ['1'] },
      { crcs: 1 },
    ].map((change) => ({ arrays: [{ ...right, ...change }], tree }))
    wrong.push({ arrays: [right, right], tree }, { arrays: [null], tree }, { arrays: {}, tree }, [], null, {}, { tree })
    for (const node of [
      { array: 1 },
      { array: -1 },
      { array: 'x' },
      { fields: 1 },
      { fields: [] },
      { number: 'one' },
    ]) {
      wrong.push({ arrays: [right], tree: node }, { arrays: [right], tree: [node] })
    }
    wrong.push({ arrays: [right] }, { arrays: [right], tree: {} }, { arrays: [right], tree: { array: 0, fields: {} } })
    for (const content of [...wrong.map((value) => JSON.stringify(value)), '', '{', '\0']) {
      forge(bytes, content)
      expect(await damageOf('a'), content).toBe('directory')
    }
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    forge(bytes, `{"arrays":[${JSON.stringify(right)}],"tree":${deep}}`)
    expect(await damageOf('a')).toBe('directory')
  })

  it('is found out by a length of the directory beyond the file', async () => {
    const content = '{"arrays":[],"tree":1}'
    for (const change of [{ offset: 2 ** 52 }, { length: 2 ** 52 }, { offset: 0 }, { length: content.length - 1 }]) {
      const trailer = { offset: HEADER_BYTES, length: content.length, crc: crc32(content), ...change }
      writeFileSync(pathOf('a'), Buffer.concat([headerBytes(), Buffer.from(content), trailerBytes(trailer)]))
      expect(await damageOf('a')).toBe('directory')
    }
  })
})
