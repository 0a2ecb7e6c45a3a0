export const ms = (v: number): string => (Math.abs(v) < 10 ? v.toFixed(2) : v.toFixed(1))
export const times = (v: number): string => `${v.toFixed(2)}x`

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return rows.map(line).join('\n')
}
