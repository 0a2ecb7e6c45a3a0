import { hash } from 'node:crypto'
import type { SourceFile } from './source-file.ts'
import type { SourcePlace } from './source-pieces.ts'

/*
 * The most frequent requests are a document by its identifier, and the page after one. Both need few bytes at
 * computable offsets, so they are read from a file next to the database: even the shortest SQL statement takes longer
 * than the rest of such a request. The file is written when a table is arranged, and never changes.
 *
 * For each identifier field it has two lists. One is sorted by hash; hashes are spread so evenly that the position of
 * one can be guessed: hash (64 bits), rank (32). The other is sorted by identifier: offset of the source (a double),
 * its size (32), rank (32), row number (32). Ranks start at 1. Equal identifiers have the same rank, and the next rank
 * skips as many numbers.
 */

/** The lists of one identifier field. */
export interface IdentifierSection {
  readonly path: string
  /** Number of documents with a value. */
  readonly count: number
  /** Start offsets of the two lists. */
  readonly hashesAt: number
  readonly orderAt: number
}

/** Description of the file in the catalog. */
export interface IdentifierLists {
  readonly file: string
  readonly end: number
  readonly sections: readonly IdentifierSection[]
  /** Absent in older files, whose records are shorter. */
  readonly tellsRows: true
}

export const HASH_RECORD = 12
export const ORDER_RECORD = 20

/** A document in the order of an identifier. */
export interface RankedPlace extends SourcePlace {
  readonly rank: number
  readonly row: number
}

/**
 * Records read at once around a guess. The error of a guess is about the square root of their number, so one or two
 * more reads find the record.
 */
const WINDOW = 256

/** After this many guesses, falls back to binary search: the hashes are not evenly spread. */
const MOST_GUESSES = 6

export class IdentifierFile {
  readonly file: SourceFile
  readonly lists: IdentifierLists
  readonly #sections: ReadonlyMap<string, IdentifierSection>

  constructor(file: SourceFile, lists: IdentifierLists) {
    this.file = file
    this.lists = lists
    this.#sections = new Map(lists.sections.map((section) => [section.path, section]))
  }

  section(path: string): IdentifierSection | undefined {
    return this.#sections.get(path)
  }

  /** Returns the only document that can have `value`. Undefined if several can, since only hashes are compared. */
  async find(section: IdentifierSection, value: string): Promise<{ readonly place?: RankedPlace } | undefined> {
    const [rank, ...others] = await this.#ranksOf(section, value)
    if (rank === undefined) return {}
    if (others.length > 0) return undefined
    const [place] = await this.read(section, rank - 1, 1)
    return place && { place }
  }

  /**
   * Returns documents in the order of the identifier, starting at index `first` (from 0). Filters them by row number.
   */
  async read(
    { orderAt, count }: IdentifierSection,
    first: number,
    most: number,
    isSought: (row: number) => boolean = () => true,
  ): Promise<readonly RankedPlace[]> {
    const records = await this.#records(orderAt, ORDER_RECORD, first, Math.max(0, Math.min(most, count - first)))
    const places: RankedPlace[] = []
    for (let at = 0; at < records.length; at += ORDER_RECORD) {
      const row = records.readUInt32LE(at + 16)
      if (!isSought(row)) continue
      const [size, rank] = [records.readUInt32LE(at + 8), records.readUInt32LE(at + 12)]
      places.push({ at: records.readDoubleLE(at), size, rank, row })
    }
    return places
  }

  /** Returns the index, in the order of the identifier, of the first document with a greater rank. */
  async firstAbove(section: IdentifierSection, rank: number): Promise<number> {
    let [low, high] = [rank, section.count]
    // Try the next document first: most identifiers are unique.
    for (let next = low; low < high; next = Math.floor((low + high) / 2)) {
      const [place] = await this.read(section, next, 1)
      if (place === undefined || place.rank > rank) high = next
      else low = next + 1
    }
    return low
  }

  /** Returns the ranks of the first two records with the hash of `value`. */
  async #ranksOf({ hashesAt, count }: IdentifierSection, value: string): Promise<readonly number[]> {
    const sought = hashed(value)
    const rest: Rest = { first: 0, end: count, lowest: 0, highest: 2 ** 32 }
    let centre: number | undefined
    for (let tries = 0; rest.first < rest.end; tries++) {
      const from = Math.max(rest.first, Math.floor((centre ?? guess(rest, sought, tries)) - WINDOW / 2))
      const number = Math.min(WINDOW, rest.end - from)
      const records = await this.#records(hashesAt, HASH_RECORD, from, number)
      if (compare(records, 0, sought) > 0) {
        rest.end = from
        rest.highest = highOf(records, 0)
      } else if (compare(records, number - 1, sought) < 0) {
        rest.first = from + number
        rest.lowest = highOf(records, number - 1)
      } else {
        const equal = equalRecords(records, number, sought)
        const [only] = equal
        const isAtEdge = only === 0 ? from > rest.first : only === number - 1 && from + number < rest.end
        if (equal.length !== 1 || only === undefined || !isAtEdge) {
          return equal.map((i) => records.readUInt32LE(i * HASH_RECORD + 8))
        }
        centre = from + only
      }
    }
    return []
  }

  async #records(listAt: number, length: number, first: number, number: number): Promise<Buffer> {
    if (number === 0) return Buffer.alloc(0)
    const [bytes] = await this.file.read([{ at: listAt + first * length, size: number * length }])
    if (bytes === undefined) throw new Error('unexpected end of the identifier file')
    return bytes
  }
}

/** Lower half of an MD5 digest, equal to `md5_number_lower` of DuckDB. */
interface Hash {
  readonly high: number
  readonly low: number
}

function hashed(value: string): Hash {
  const digest = hash('md5', value, 'buffer')
  return { high: digest.readUInt32LE(12), low: digest.readUInt32LE(8) }
}

/** Records not ruled out yet, and the range of the upper halves of their hashes. */
interface Rest {
  first: number
  end: number
  lowest: number
  highest: number
}

function guess({ first, end, lowest, highest }: Rest, { high }: Hash, tries: number): number {
  const share = tries < MOST_GUESSES && highest > lowest ? (high - lowest) / (highest - lowest) : 0.5
  return first + share * (end - first)
}

const highOf = (records: Buffer, i: number): number => records.readUInt32LE(i * HASH_RECORD + 4)

/** Negative if the record sorts before the hash. */
const compare = (records: Buffer, i: number, { high, low }: Hash): number =>
  highOf(records, i) - high || records.readUInt32LE(i * HASH_RECORD) - low

function equalRecords(records: Buffer, number: number, sought: Hash): readonly number[] {
  const equal: number[] = []
  for (let i = 0; i < number && equal.length < 2; i++) if (compare(records, i, sought) === 0) equal.push(i)
  return equal
}
