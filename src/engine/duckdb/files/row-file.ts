import { mortonKey } from '../../../geo/grid/morton-key.ts'
import { firstWhere, type RowSpan } from './row-spans.ts'
import type { SourceFile } from './source-file.ts'
import type { SourcePlace } from './source-pieces.ts'

/*
 * The most frequent requests on a map are for a tile, a box or a polygon: what is in it, or the first of it. Arranged
 * rows are sorted by place (Morton order), so the matches are runs of rows, and a few numbers per row are enough to
 * filter and sort them. These are written to a file next to the database when a table is arranged, column by column, in
 * row order. The shortest SQL statement takes milliseconds; finding a run and reading its numbers takes a fraction of
 * one.
 *
 * Rows without a place are last in the table and not in the file. Numbers are little-endian, as in the database.
 */

/** Description of the file in the catalog. */
export interface RowLists {
  readonly file: string
  readonly end: number
  /** Number of rows in the file: the first ones of the table. */
  readonly rows: number
  /** Path of the place that determines the order. A field added later may come before it in the mapping. */
  readonly placePath: string
  /** Path of the date, if there is one. */
  readonly datePath?: string
  /** Paths of the keywords with a rank column, in file order. */
  readonly rankedPaths: readonly string[]
}

/** Rows per bounding box. Larger blocks test more rows in vain, smaller ones take more memory. */
export const BLOCK = 128

/** Bytes per row in each column. */
export const POINT_RECORD = 16
export const SOURCE_RECORD = 12
export const DATE_RECORD = 8
export const RANK_RECORD = 4
/** Bytes per block in each block column. */
export const KEY_RECORD = 8
export const BOX_RECORD = 32

/** Rank of a missing value. */
export const NO_RANK = 0

/** Start offsets of the columns. */
export interface RowColumnPlaces {
  readonly points: number
  readonly sources: number
  readonly dates: number
  readonly ranks: ReadonlyMap<string, number>
  readonly blockKeys: number
  readonly blockBoxes: number
  readonly end: number
}

export const blocksOf = (rows: number): number => Math.ceil(rows / BLOCK)

export function columnPlaces({
  rows,
  datePath,
  rankedPaths,
}: Pick<RowLists, 'rows' | 'datePath' | 'rankedPaths'>): RowColumnPlaces {
  let end = 0
  const place = (bytes: number): number => {
    const at = end
    end += bytes
    return at
  }
  return {
    points: place(rows * POINT_RECORD),
    blockKeys: place(blocksOf(rows) * KEY_RECORD),
    blockBoxes: place(blocksOf(rows) * BOX_RECORD),
    dates: place(datePath === undefined ? 0 : rows * DATE_RECORD),
    sources: place(rows * SOURCE_RECORD),
    ranks: new Map(rankedPaths.map((path) => [path, place(rows * RANK_RECORD)])),
    end,
  }
}

/** Keys and boxes of all blocks, kept in memory. */
interface RowBlocks {
  /** Morton key of the first row of each block. */
  readonly keys: BigUint64Array
  /** West, south, east and north of each block. */
  readonly boxes: Float64Array
}

export class RowFile {
  readonly file: SourceFile
  readonly lists: RowLists
  readonly #places: RowColumnPlaces
  #blocks: Promise<RowBlocks> | undefined

  constructor(file: SourceFile, lists: RowLists) {
    this.file = file
    this.lists = lists
    this.#places = columnPlaces(lists)
  }

  /** Reads the blocks once. They take a third of a byte per row. */
  blocks(): Promise<RowBlocks> {
    this.#blocks ??= this.#readBlocks().catch((error: unknown) => {
      this.#blocks = undefined
      throw error
    })
    return this.#blocks
  }

  /** Returns the number of the first row whose key is greater or equal. */
  async firstFrom(key: bigint): Promise<number> {
    const { keys } = await this.blocks()
    // It is in the last block that starts with a smaller key, or it is the first row of the next block.
    const block = firstWhere(keys.length, (i) => (keys[i] ?? 0n) >= key) - 1
    if (block < 0) return 0
    const first = block * BLOCK
    const [points] = await this.points([{ first, end: Math.min(first + BLOCK, this.lists.rows) }])
    if (!points) return first
    return first + firstWhere(points.length / 2, (i) => mortonKey(points[2 * i] ?? 0, points[2 * i + 1] ?? 0) >= key)
  }

  /** Returns longitude and latitude, interleaved, of the rows of each span. */
  async points(spans: readonly RowSpan[]): Promise<readonly Float64Array[]> {
    return (await this.#read(spans, this.#places.points, POINT_RECORD)).map(toDoubles)
  }

  /** NaN for rows without a date. */
  async dates(spans: readonly RowSpan[]): Promise<Float64Array> {
    return toDoubles(joined(await this.#read(spans, this.#places.dates, DATE_RECORD)))
  }

  async ranks(spans: readonly RowSpan[], path: string): Promise<Uint32Array> {
    const at = this.#places.ranks.get(path)
    if (at === undefined) throw new Error(`${this.lists.file} does not contain ranks of ${path}`)
    const bytes = aligned(joined(await this.#read(spans, at, RANK_RECORD)), RANK_RECORD)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / RANK_RECORD)
  }

  /** Returns the extents of the sources of some rows. */
  async sources(rows: readonly number[]): Promise<readonly SourcePlace[]> {
    const spans = rows.map((row) => ({ first: row, end: row + 1 }))
    const records = await this.#read(spans, this.#places.sources, SOURCE_RECORD)
    return records.map((record) => ({ at: record.readDoubleLE(0), size: record.readUInt32LE(8) }))
  }

  #read(spans: readonly RowSpan[], column: number, record: number): Promise<readonly Buffer[]> {
    return this.file.read(
      spans.map(({ first, end }) => ({ at: column + first * record, size: (end - first) * record })),
    )
  }

  async #readBlocks(): Promise<RowBlocks> {
    const blocks = blocksOf(this.lists.rows)
    const [keys = NOTHING, boxes = NOTHING] = await this.file.read([
      { at: this.#places.blockKeys, size: blocks * KEY_RECORD },
      { at: this.#places.blockBoxes, size: blocks * BOX_RECORD },
    ])
    const { buffer, byteOffset } = aligned(keys, KEY_RECORD)
    return { keys: new BigUint64Array(buffer, byteOffset, blocks), boxes: toDoubles(boxes) }
  }
}

const NOTHING = Buffer.alloc(0)

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))

/** Returns the same bytes, copied if necessary to an offset where numbers of that size can be read in place. */
function aligned(bytes: Buffer, size: number): Uint8Array {
  return bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes)
}

function toDoubles(bytes: Buffer): Float64Array {
  const { buffer, byteOffset, length } = aligned(bytes, 8)
  return new Float64Array(buffer, byteOffset, length / 8)
}
