import { printWkt } from '../../geo/wkt.ts'
import { csvLine } from '../csv-line.ts'
import { columnsBeside, type ExportColumn } from './export-column.ts'
import { cellText, type ExportRow } from './export-row.ts'

/** Readers of tables with places look for the geometry under this name. */
const WKT_COLUMN = 'WKT'

/** RFC 4180 with line feeds; the geometry comes last, in WKT. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly ExportRow[]>,
): AsyncIterable<string> {
  yield csvLine([...columnsBeside(WKT_COLUMN, columns).map(({ name }) => name), WKT_COLUMN])
  for await (const rows of batches) {
    yield rows
      .map(({ cells, geometry }) => csvLine([...cells.map(cellText), geometry === undefined ? '' : printWkt(geometry)]))
      .join('')
  }
}
