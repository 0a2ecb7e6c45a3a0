import type { FieldLayout, TableLayout } from '../index/table-layout.ts'
import { buildCodes } from './build-codes.ts'
import { buildIdentifiers } from './build-identifiers.ts'
import { buildNumbers } from './build-numbers.ts'
import { buildPoints, buildShapes } from './build-places.ts'
import { arrangeRows, type BuildRows, DROPPED } from './build-rows.ts'
import { buildTexts } from './build-texts.ts'
import type { Extents, Part } from './part.ts'
import type { ColumnData, RowNumberData, SegmentData } from './segment-data.ts'
import { sharedFloat64s, sharedUint32s } from './shared-arrays.ts'

/** Row numbers in the database, the end excluded. */
interface SeqRange {
  readonly firstSeq: number
  readonly endSeq: number
}

/**
 * Builds a segment of the live rows of parts, whose row numbers are in `range`. Rows are sorted by the Morton key of the
 * clustering field (index/table-layout.ts), then part, then row.
 */
export function buildSegment(parts: readonly Part[], layout: TableLayout, range: SeqRange): SegmentData {
  const rows = arrangeRows(parts, layout)
  const mainDate = layout.fields.find(({ type }) => type === 'DATE')
  const columns = layout.fields.flatMap((field) => buildColumn(field, rows, field === mainDate) ?? [])
  const cluster = columns.find(({ path }) => path === rows.cluster?.path)
  // Other points of a row may have any key.
  const isSorted = cluster?.kind === 'shape' || (cluster?.kind === 'point' && cluster.starts === undefined)
  return {
    rows: rows.count,
    ...(isSorted ? { sortedBy: cluster.path } : {}),
    columns,
    ids: buildIdentifiers(rows),
    seqs: buildNumbering(rows, range),
    extents: buildExtents(rows),
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
    for (let row = 0; row < targets.length; row++) {
      const target = targets[row] ?? DROPPED
      if (target === DROPPED) continue
      const seq = part.seqs.seq(row)
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
