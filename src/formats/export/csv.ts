import { printWkt } from '../../geo/wkt.ts'
import { csvLine, spreadsheetCell } from '../csv-line.ts'
import { columnsBeside, type ExportColumn } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'

/** Readers of tables with places look for the geometry under this name. */
const WKT_COLUMN = 'WKT'

export interface CsvOptions {
  /** Keeps spreadsheets from running cells as formulas. */
  readonly spreadsheet: boolean
}

/** RFC 4180 with line feeds; the geometry comes last, in WKT. */
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
