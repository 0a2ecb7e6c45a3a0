import { readFile, writeFile } from 'node:fs/promises'

/** Largest resident size a process has had so far, in MiB; undefined where /proc does not tell. */
export async function peakMemoryMiB(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}

/** Resident size of a process at this moment, in MiB; undefined where /proc does not tell. */
export async function memoryMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}

/** Lets the largest size begin anew with the present one (Linux: 5 in `clear_refs`); false where that cannot be. */
export function resetPeakMemory(pid: number): Promise<boolean> {
  return writeFile(`/proc/${pid}/clear_refs`, '5').then(
    () => true,
    () => false,
  )
}

/** The kernel counts in hundredths of a second, whatever the machine (`USER_HZ`). */
const TICK_MS = 10

/** Processor time of all threads of a process so far; undefined where /proc does not tell. */
export async function processorMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name before them, in parentheses, may hold anything; user and system time are the 12th and 13th behind it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return user === undefined || system === undefined ? undefined : (user + system) * TICK_MS
}

/** Lets a process wait, and go on later; what is not ours is left alone. */
export function standStill(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGSTOP')
}

export function goOn(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGCONT')
}
