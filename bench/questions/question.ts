import type { Cluster } from '../data/documents.ts'

/** The documents a question is about. */
export type DatasetName = 'points' | 'quarters' | 'shapes' | 'flights'

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
}

export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Milliseconds since the epoch, both included. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Varying parameters of one repetition, equal for every system. */
export interface Draw {
  readonly kind: string
  readonly owner: string
  readonly id: string
  readonly range: TimeRange
  readonly tile: Tile
  /** Closed ring around a place with documents. */
  readonly ring: readonly (readonly [lon: number, lat: number])[]
  readonly cluster: Cluster
  readonly words: { readonly frequent: string; readonly rare: string; readonly other: string }
  /** Filter that dashboards send with every request; see `TimeFilter`. */
  readonly time?: TimeRange
}

/**
 * How questions are asked: without a time filter, with one that excludes nothing, or with one that changes from request
 * to request and excludes a few documents.
 */
export type TimeFilter = 'none' | 'constant' | 'changing'

/** The body of an OpenSearch search request. */
export interface SearchBody {
  readonly query?: object
  readonly [name: string]: unknown
}

/** A statement for ClickHouse and plain DuckDB: `SELECT select FROM table WHERE where tail`. */
export interface SqlQuestion {
  readonly select: string
  /** Conditions, joined with AND. The time filter is added. */
  readonly where?: readonly string[]
  /** GROUP BY, ORDER BY, LIMIT. */
  readonly tail?: string
}

/** Differences between the SQL of ClickHouse and of DuckDB. */
export interface SqlDialect {
  readonly name: 'ClickHouse' | 'DuckDB'
  /** Number of days, or months, since the epoch, of a column with milliseconds. */
  readonly day: (column: string) => string
  readonly month: (column: string) => string
  readonly exactCardinality: (column: string) => string
}

/** What an answer says, in a form that can be compared between systems. */
export type Answer =
  | { readonly kind: 'count'; readonly count: number }
  /** Ordered by key, because systems order equal counts differently. */
  | { readonly kind: 'buckets'; readonly buckets: readonly AnsweredBucket[] }
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'number'; readonly value: number }
  /** Files and tiles, which only Periplus makes; only their length is known. */
  | { readonly kind: 'bytes' }

export interface AnsweredBucket {
  /** Normalised: `z/x/y` of tiles, milliseconds of dates, the term, joined with ` > ` over levels. */
  readonly key: string
  readonly count: number
  /** Rounded to six significant digits, because systems sum in different orders. */
  readonly metrics?: readonly number[]
}

export type Group = 'counts' | 'aggregations' | 'documents' | 'text' | 'areas' | 'shapes' | 'files'

/** One kind of question in the syntax of each system. A system without syntax does not answer it. */
export interface Question {
  readonly name: string
  readonly group: Group
  /** `points` by default. */
  readonly dataset?: DatasetName
  /** Zoom of the drawn tile. */
  readonly tileZoom?: number
  /** Vertices of the drawn ring, 24 by default: a circle of 24, or 200 that make spikes. */
  readonly ringVertices?: 24 | 200
  readonly expects: Answer['kind']
  /**
   * Most documents that may be on either side of a slanted border: OpenSearch rounds the coordinates of points to 32
   * bits, by up to 8e-8 degrees.
   */
  readonly atBorder?: number
  /** True if a time filter changes nothing or makes no sense, as for one document by id. */
  readonly ignoresTime?: true
  /** True if it takes seconds and does not depend on the state, as exports. */
  readonly onlyAtRest?: true
  readonly periplus: (d: Draw) => HttpCall
  readonly opensearch?: (d: Draw) => SearchBody
  readonly sql?: (d: Draw, dialect: SqlDialect) => SqlQuestion
  /** Keys of the buckets in the rows of `sql`, before count and metrics; one value by default. */
  readonly sqlKeys?: readonly SqlKey[]
}

/** A column with a term or a number, a day or a month since the epoch, or two columns with x and y of a tile. */
export type SqlKey = 'value' | 'day' | 'month' | { readonly tileZoom: number }
