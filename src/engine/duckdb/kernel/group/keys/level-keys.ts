import type { GridGrouping, Grouping } from '../../../../../query/plan/aggregation-plan.ts'
import type { CodeColumn, Column } from '../../../segment/column.ts'
import type { Dictionary } from '../../../segment/dictionary.ts'
import type { ScannedPart } from '../arrays/scan.ts'
import { cellKeys, type PartPoints, tileKeys } from './grid-keys.ts'
import type { FilledKeys, KeyColumn } from './key-column.ts'
import { CellSpace, type KeySpace, NumberSpace, TileSpace } from './key-space.ts'
import { numberKeying, numberKeys } from './number-keys.ts'
import { ShapeKeys } from './shape-keys.ts'
import { FewTermKeys, TermKeys } from './term-keys.ts'
import { TermSpace } from './term-space.ts'

/** Terms per row that is read, up to which arrays by code are used. */
const MOST_PER_ROW = 8
const SMALL_DICTIONARY = 2 ** 16

export interface LevelKeys {
  readonly space: KeySpace
  /** By part; undefined if no row of the part has a key. */
  readonly columns: readonly (KeyColumn | undefined)[]
}

/** Returns the keys of a level in all parts. `mostCells`: maximum number of cells one shape may lie in. */
export function levelKeys(grouping: Grouping, parts: readonly ScannedPart[], mostCells: number): LevelKeys {
  const columns = parts.map(({ part }) => part.column(grouping.field))
  if (isGrid(grouping)) {
    if (grouping.kind === 'geotile' && grouping.field.type === 'GEO_POINT') {
      const space = new TileSpace(grouping.level)
      return { space, columns: columns.map((column, i) => placed(column, parts[i], grouping, space, tileKeys)) }
    }
    const space = new CellSpace(grouping)
    const keys = columns.map((column, i) => {
      if (column?.kind === 'shape' && grouping.kind !== 'geohex') {
        return new ShapeKeys(column, grouping, grouping.kind, mostCells, space)
      }
      return placed(column, parts[i], grouping, space, cellKeys)
    })
    return { space, columns: keys }
  }
  if (grouping.field.type === 'KEYWORD' || grouping.field.type === 'IP') {
    const coded = columns.map((column) => (column?.kind === 'code' ? column : undefined))
    const most = parts.reduce((sum, { filter }) => sum + filter.most, 0)
    // Arrays by code are not worth their memory if few rows are read.
    const isSmall = ({ size }: Dictionary): boolean => size <= MOST_PER_ROW * most + SMALL_DICTIONARY
    const space = new TermSpace(
      coded.flatMap((column) => (column && isSmall(column.dictionary) ? column.dictionary : [])),
    )
    const include = grouping.kind === 'term' ? grouping.include : undefined
    const keysOf = (column: CodeColumn): FilledKeys =>
      isSmall(column.dictionary) ? new TermKeys(column, space, include) : new FewTermKeys(column, space, include)
    return { space, columns: coded.map((column) => column && keysOf(column)) }
  }
  const space = new NumberSpace(grouping.kind === 'term' ? grouping.field.type : undefined)
  const keying = numberKeying(grouping)
  const keys = columns.map((column, i) =>
    column?.kind === 'number' ? numberKeys(column, parts[i], keying, space) : undefined,
  )
  return { space, columns: keys }
}

const isGrid = (grouping: Grouping): grouping is GridGrouping =>
  grouping.kind === 'geohash' || grouping.kind === 'geotile' || grouping.kind === 'geohex'

function placed<S>(
  column: Column | undefined,
  scanned: ScannedPart | undefined,
  grouping: GridGrouping,
  space: S,
  keysOf: (part: PartPoints, grouping: GridGrouping, space: S) => FilledKeys,
): FilledKeys | undefined {
  if (!scanned || (column?.kind !== 'point' && column?.kind !== 'shape')) return undefined
  const { part, filter } = scanned
  const isSorted = part.sortedBy === grouping.field.path
  return keysOf({ points: column, rows: Math.min(part.rows, filter.most), isSorted }, grouping, space)
}
