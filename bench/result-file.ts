import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'

export const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`

/** Writes a report as JSON and prints its path. */
export async function saveResult(report: { readonly date: string }, out: string | undefined): Promise<void> {
  const file = out ?? join('bench', 'results', `${report.date.replaceAll(':', '-')}.json`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
  console.log(`written to ${file}`)
}
