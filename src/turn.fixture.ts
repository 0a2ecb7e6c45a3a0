/** How often the event loop came round while something ran. */
export async function countRounds(run: () => Promise<unknown>): Promise<number> {
  let rounds = 0
  let isRunning = true
  const count = (): void => {
    rounds++
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  try {
    await run()
  } finally {
    isRunning = false
  }
  return rounds
}

/** Keeps the thread for some milliseconds. */
export function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
