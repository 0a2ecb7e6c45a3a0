import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

/**
 * Processor time of processes and their descendants, in kernel ticks. It includes descendants that have ended, so that
 * a system that is restarted meanwhile is counted.
 */
export function processTreeTicks(roots: readonly number[], proc = '/proc'): number {
  const processes = readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name), proc))
  const family = new Set(roots)
  // A child may have a smaller pid than its parent, so the search is repeated until nothing is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid)
  }
  return processes.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0)
}

/** Empty if the process has just ended. */
function readProcess(pid: number, proc: string): readonly Process[] {
  try {
    const stat = readFileSync(join(proc, String(pid), 'stat'), 'utf8')
    // The process name in parentheses may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // User and system time of the process, and of the children it has waited for.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid, parent: Number(fields[1]), ticks }]
  } catch {
    return []
  }
}
