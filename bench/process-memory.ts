import { readFile } from 'node:fs/promises'

/** Largest resident size a process has had so far, in MiB; undefined where /proc does not tell. */
export async function peakMemoryMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
  return kib === undefined ? undefined : Math.round(Number(kib) / 1024)
}
