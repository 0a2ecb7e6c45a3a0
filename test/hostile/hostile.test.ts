import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileRequests } from './hostile-requests.ts'
import { type Watched, WatchedServer } from './watched-server.ts'

const MOST_GROWN_MIB = 256

interface Figure {
  readonly name: string
  readonly watched: Watched
}

let server: WatchedServer
const figures: Figure[] = []

beforeAll(async () => {
  server = await WatchedServer.start()
})
afterAll(async () => {
  await server?.stop()
  report()
})

function check(name: string, watched: Watched): void {
  figures.push({ name, watched })
  for (const { status, text } of watched.answers) {
    // 504 tells that a request took longer than limits.timeMs
    expect(status < 500 || status === 504, `answered ${status} ${text.slice(0, 300)}`).toBe(true)
    if (status >= 400) expect(text.length).toBeLessThan(2_000)
  }
  expect(watched.grownMiB, 'memory').toBeLessThan(MOST_GROWN_MIB)
  if (!watched.isQuick) expect(watched.livesBefore, '/livez answered before it').toBeGreaterThan(0)
}

describe.each(hostileRequests)('%s', (name, request) => {
  it('alone', async () => {
    check(name, await server.watch([request]))
  })

  it('eight at once', async () => {
    check(`${name}, 8 times`, await server.watch(Array.from({ length: 8 }, () => request)))
  })
})

it('leaves the server as it was', async () => {
  const { answers } = await server.watch([{ path: '/explore/crowd/_count' }])
  expect(answers[0]?.status).toBe(200)
})

/** The worst figures, for whoever reads the log. */
function report(): void {
  const worst = (title: string, of: (watched: Watched) => number): string => {
    const sorted = figures.toSorted((a, b) => of(b.watched) - of(a.watched)).slice(0, 5)
    return `${title}: ${sorted.map(({ name, watched }) => `${name} ${Math.round(of(watched))}`).join('; ')}`
  }
  console.log(worst('Longest wait of /livez (ms)', (watched) => watched.longestLifeMs))
  console.log(worst('Most memory (MiB)', (watched) => watched.grownMiB))
}
