/** Prints rows as aligned columns; numbers are right-aligned. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = header.map((title, at) => Math.max(title.length, ...rows.map((row) => String(row[at] ?? '').length)))
  const line = (cells: readonly (string | number)[]): string =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(header), ...rows.map(line)].join('\n')
}
