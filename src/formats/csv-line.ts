/** A line of RFC 4180, ended by a line feed. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\n`

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
