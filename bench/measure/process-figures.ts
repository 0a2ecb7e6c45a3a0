import { readFile, writeFile } from 'node:fs/promises'

/** Peak resident size of a process in MiB; undefined without /proc. */
export async function peakMemoryMiB(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}

/** Current resident size of a process in MiB; undefined without /proc. */
export async function memoryMiB(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}

/** Resets the peak resident size to the current one (Linux: 5 in `clear_refs`); false if not possible. */
export function resetPeakMemory(pid: number): Promise<boolean> {
  return writeFile(`/proc/${pid}/clear_refs`, '5').then(
    () => true,
    () => false,
  )
}

/** Unit of kernel times, a hundredth of a second on all machines (`USER_HZ`). */
const TICK_MS = 10

/** Processor time of all threads of a process so far; undefined without /proc. */
export async function processorMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The process name in parentheses may contain any character; user and system time are the 12th and 13th fields after
  // it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return user === undefined || system === undefined ? undefined : (user + system) * TICK_MS
}

/** Pauses a process; does nothing if it is not a child process. */
export function standStill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGSTOP')
}

export function goOn(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGCONT')
}
