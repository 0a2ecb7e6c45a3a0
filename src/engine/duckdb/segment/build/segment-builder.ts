import { clusteringField, type FieldLayout, type TableLayout } from '../../index/table-layout.ts'
import type { Extents, Part } from '../part.ts'
import type { ColumnData, RowNumberData, SegmentData } from '../segment-data.ts'
import type { IdentifierData } from '../segment-identifiers.ts'
import { sharedFloat64s, sharedUint32s } from '../shared-arrays.ts'
import { buildCodes } from './build-codes.ts'
import { buildIdentifiers } from './build-identifiers.ts'
import { buildNumbers } from './build-numbers.ts'
import { buildPoints, buildShapes } from './build-places.ts'
import { type ArrangedRows, arrangeRows, type BuildRows, DROPPED } from './build-rows.ts'
import { buildTexts } from './build-texts.ts'

/** Row numbers in the database, the end excluded. */
interface SeqRange {
  readonly firstSeq: number
  readonly endSeq: number
}

/**
 * Builds a segment of the live rows of parts, whose row numbers are in `range`. Rows are sorted by the Morton key of the
 * clustering field (index/table-layout.ts), then part, then row. Works on one field at a time: each method gets the parts
 * opened with what it needs, so that columns need not be in memory together.
 */
export class SegmentBuilder {
  readonly #layout: TableLayout
  readonly #range: SeqRange
  readonly #mainDate: FieldLayout | undefined
  #arranged: ArrangedRows | undefined
  #sortedBy: string | undefined

  constructor(layout: TableLayout, range: SeqRange) {
    this.#layout = layout
    this.#range = range
    this.#mainDate = layout.fields.find(({ type }) => type === 'DATE')
  }

  get fields(): readonly FieldLayout[] {
    return this.#layout.fields
  }

  /** Fields whose columns `arrange` needs. */
  get arrangedBy(): readonly FieldLayout[] {
    const field = clusteringField(this.#layout)
    return field ? [field] : []
  }

  /** Sorts the rows. To be called first. */
  arrange(parts: readonly Part[]): void {
    this.#arranged = arrangeRows(parts, this.#layout)
  }

  /** Builds the column of a field. Undefined if no row has a value. */
  column(field: FieldLayout, parts: readonly Part[]): ColumnData | undefined {
    const rows = this.#rowsOf(parts)
    const column = buildColumn(field, rows, field === this.#mainDate)
    // Other points of a row may have any key.
    const isSorted = column?.kind === 'shape' || (column?.kind === 'point' && column.starts === undefined)
    if (field === rows.cluster && isSorted) this.#sortedBy = field.path
    return column
  }

  /** `parts`: with their identifiers. */
  identifiers(parts: readonly Part[]): IdentifierData {
    return buildIdentifiers(this.#rowsOf(parts))
  }

  /** `parts`: with their row numbers. */
  numbering(parts: readonly Part[]): RowNumberData {
    return buildNumbering(this.#rowsOf(parts), this.#range)
  }

  /** `parts`: with their extents. */
  extents(parts: readonly Part[]): Extents {
    return buildExtents(this.#rowsOf(parts))
  }

  /** What else a segment has. After all columns. */
  get rest(): Pick<SegmentData, 'rows' | 'sortedBy'> {
    const rows = this.#arranged?.count ?? 0
    return this.#sortedBy === undefined ? { rows } : { rows, sortedBy: this.#sortedBy }
  }

  #rowsOf(parts: readonly Part[]): BuildRows {
    if (!this.#arranged) throw new Error('the rows of the segment are not arranged')
    const { targets, ...others } = this.#arranged
    return {
      ...others,
      sources: parts.map((part, i) => ({ part, targets: targets[i] ?? new Uint32Array() })),
    }
  }
}

function buildColumn(field: FieldLayout, rows: BuildRows, isMainDate: boolean): ColumnData | undefined {
  switch (field.type) {
    case 'KEYWORD':
    case 'IP':
      return buildCodes(field, rows)
    case 'TEXT':
      return buildTexts(field, rows)
    case 'GEO_POINT':
      return buildPoints(field, rows)
    case 'GEO_SHAPE':
      return buildShapes(field, rows)
    case 'OBJECT':
    case 'NESTED':
    case 'UNKNOWN':
      return undefined
    default:
      return buildNumbers(field, rows, isMainDate)
  }
}

function buildNumbering({ sources, count }: BuildRows, { firstSeq, endSeq }: SeqRange): RowNumberData {
  const numbers = sharedFloat64s(count)
  const rows = sharedUint32s(endSeq - firstSeq)
  for (const { part, targets } of sources) {
    const { seqs } = part
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target === DROPPED) continue
      const seq = seqs.seq(row)
      if (seq < firstSeq || seq >= endSeq) throw new Error(`row number ${seq} is not in [${firstSeq}, ${endSeq})`)
      numbers[target] = seq
      rows[seq - firstSeq] = target + 1
    }
  }
  return { firstSeq, numbers, rows }
}

function buildExtents({ sources, count }: BuildRows): Extents {
  const extents = { at: sharedFloat64s(count), size: sharedUint32s(count) }
  for (const { part, targets } of sources) {
    const { at, size } = part.extents
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target === DROPPED) continue
      extents.at[target] = at[row] ?? 0
      extents.size[target] = size[row] ?? 0
    }
  }
  return extents
}
