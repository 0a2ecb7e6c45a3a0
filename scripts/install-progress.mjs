import { existsSync } from 'node:fs'
import path from 'node:path'

// Plain JavaScript for Node 20: a fresh clone runs it before anything is installed.

const INTERVAL_MS = 250

/** Lines in a log: one per so many percent. */
const STEP_PERCENT = 25

/**
 * Prints how many of these package folders exist while npm runs: a line that is rewritten on a terminal, a few lines in
 * a log. The package of the pinned Node downloads Node after all packages are there.
 */
export function installProgress(title, folders, pinnedNode, output = process.stderr) {
  const began = Date.now()
  const missing = new Set(folders)
  let lastPrinted = -1
  const show = (text) => output.write(output.isTTY ? `\r\x1b[K${text}` : `${text}\n`)
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`
  const look = () => {
    for (const folder of missing) if (existsSync(path.join(folder, 'package.json'))) missing.delete(folder)
    const done = folders.length - missing.size
    const percent = Math.floor((done / folders.length) * 100)
    const step = output.isTTY ? Date.now() : Math.floor(percent / STEP_PERCENT) + (missing.size === 0 ? 1 : 0)
    if (step === lastPrinted) return
    lastPrinted = step
    const isFetchingNode = missing.size === 0 && !existsSync(pinnedNode)
    const state = isFetchingNode ? 'downloading Node' : `${done} of ${folders.length}`
    show(`${title}: ${state}, ${seconds()}`)
  }
  show(`${title} (once)...`)
  const timer = setInterval(look, INTERVAL_MS)
  return {
    end(succeeded) {
      clearInterval(timer)
      show(succeeded ? `${title}: done in ${seconds()}.\n`.slice(0, output.isTTY ? undefined : -1) : '\n')
    },
  }
}
