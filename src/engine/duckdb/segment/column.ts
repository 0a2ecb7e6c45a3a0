import type { FieldType } from '../../../model/field-type.ts'
import type { Dictionary } from './dictionary.ts'

/** Rows per block: the unit in which kernels work, and for which columns keep minimum and maximum. */
export const BLOCK = 2048

/**
 * The values of one field in the rows of a part. Rows are numbered from 0. Arrays may be longer than the part has rows:
 * those of a tail grow.
 */
export type Column = CodeColumn | NumberColumn | PointColumn | ShapeColumn | TextColumn

/** Unsigned integers in the narrowest sufficient type. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

/**
 * Several values per row: row r has the values from `starts[r]` to `starts[r + 1]`, which is excluded. Without `starts`,
 * each row has at most one value, at the position of the row.
 */
interface SeveralValues {
  readonly starts?: Uint32Array
}

/** KEYWORD and IP: codes of a dictionary. Code 0 means no value; it does not occur together with `starts`. */
export interface CodeColumn extends SeveralValues {
  readonly kind: 'code'
  readonly type: FieldType
  readonly codes: Codes
  readonly dictionary: Dictionary
  /** Rows by code, in segments whose dictionary is not small. */
  readonly rowsByCode?: RowsByCode
}

/** The rows that have code c are `rows[starts[c]]` to `rows[starts[c + 1]]` (excluded), ascending and distinct. */
export interface RowsByCode {
  readonly rows: Uint32Array
  readonly starts: Uint32Array
}

/**
 * Numbers, DATE (milliseconds) and BOOLEAN (0 and 1). Packed values are v = base + (n - 1) * step for a stored n, and
 * n = 0 means no value. Values that are not packed are doubles, and NaN means no value.
 */
export interface NumberColumn extends SeveralValues {
  readonly kind: 'number'
  readonly type: FieldType
  readonly values: Codes | Float64Array
  readonly packing?: Packing
  /** True if a LONG exceeds 2^53, so that `values` are rounded. Kernels must not use such a column. */
  readonly inexact?: true
  /** In segments only. */
  readonly blocks?: NumberBlocks
  /** Rows with a value, by value, then row. Only for the main date of a segment, if it has one value per row. */
  readonly order?: Uint32Array
}

export interface Packing {
  readonly base: number
  readonly step: number
}

/** Summary of each block of rows. */
export interface NumberBlocks {
  /** NaN if no row of the block has a value. */
  readonly min: Float64Array
  readonly max: Float64Array
  /** 1 if every row of the block has a value. */
  readonly complete: Uint8Array
}

/** Points: coordinates, NaN without a point, and Morton keys. */
export interface Points {
  readonly lon: Float64Array
  readonly lat: Float64Array
  /** Upper 28 of the 58 bits of the Morton key: the tile of zoom 14. NO_KEY without a point. */
  readonly high: Uint32Array
  /** Lower 30 bits. */
  readonly low: Uint32Array
}

export const NO_KEY = 0xffffffff

/** Number of bits of `low`. */
export const LOW_BITS = 30

/** Boxes of the blocks of rows: west, south, east, north. Infinity to -Infinity if no row has a value. */
export type BlockBoxes = Float64Array

/** GEO_POINT. */
export interface PointColumn extends SeveralValues, Points {
  readonly kind: 'point'
  readonly type: FieldType
  /** In segments only. */
  readonly blockBoxes?: BlockBoxes
}

/** GEO_SHAPE: the point is the planar centroid; the envelope is NaN without a shape. */
export interface ShapeColumn extends Points {
  readonly kind: 'shape'
  readonly type: FieldType
  readonly west: Float64Array
  readonly south: Float64Array
  readonly east: Float64Array
  readonly north: Float64Array
  /** WKB (geo/shape/wkb.ts). The shape of row r is in the bytes from `wkbStarts[r]` to `wkbStarts[r + 1]`. */
  readonly wkb: Uint8Array
  readonly wkbStarts: Float64Array
  /** Boxes of the envelopes of a block, in segments only. */
  readonly blockBoxes?: BlockBoxes
}

/**
 * TEXT: the tokens of row r, in order, from `starts[r]` to `starts[r + 1]` (excluded). Each value of the row begins with
 * VALUE_START. A row without a value has an empty range.
 */
export interface TextColumn {
  readonly kind: 'text'
  readonly type: FieldType
  readonly tokens: Codes
  readonly starts: Uint32Array
  readonly dictionary: Dictionary
  /** In segments only. */
  readonly postings?: Postings
}

export const VALUE_START = 0

/**
 * The rows of each token: for token c, `counts[c]` rows ascending, each as its difference to the row before (the first to 0) in LEB128, from byte
 * `starts[c]` on.
 */
export interface Postings {
  readonly bytes: Uint8Array
  readonly starts: Float64Array
  readonly counts: Uint32Array
}
