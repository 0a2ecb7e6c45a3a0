import { printWkt } from '../../geo/wkt.ts'
import { csvLine, spreadsheetCell } from '../csv-line.ts'
import { columnsBeside, type ExportColumn } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'

/** Column name that GIS readers of CSV expect. */
const WKT_COLUMN = 'WKT'

interface CsvOptions {
  /** Prevents spreadsheets from running cells as formulas. */
  readonly spreadsheet: boolean
}

/** Writes RFC 4180 with line feeds; the geometry is the last column, as WKT. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly ExportRow[]>,
  { spreadsheet }: CsvOptions,
): AsyncIterable<string> {
  const line = (cells: readonly string[]): string => csvLine(spreadsheet ? cells.map(spreadsheetCell) : cells)
  yield line([...columnsBeside(WKT_COLUMN, columns).map(({ name }) => name), WKT_COLUMN])
  for await (const rows of batches) {
    yield rows
      .map(({ cells, geometry }) => line([...cells.map(cellText), geometry === undefined ? '' : printWkt(geometry)]))
      .join('')
  }
}
