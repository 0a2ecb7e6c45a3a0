import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time of a test file: in the process that ran it, and in processes that it started. */
    processor?: { readonly own: number; readonly children: number }
  }
}

const before = { own: ownSeconds(), children: childSeconds() }

// registered before all hooks of the file, so it runs last
// biome-ignore lint/correctness/noEmptyPattern: Vitest demands a pattern for fixtures
afterAll(({}, { meta }) => {
  meta.processor = { own: ownSeconds() - before.own, children: childSeconds() - before.children }
})

function ownSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Time of ended child processes, in ticks of 10 ms. Without /proc, it is not counted. */
function childSeconds(): number {
  if (process.platform !== 'linux') return 0
  const text = readFileSync('/proc/self/stat', 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
