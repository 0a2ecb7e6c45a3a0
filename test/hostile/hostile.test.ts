import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../bench/data/random.ts'
import { must } from '../support/http-client.ts'
import { seed } from '../support/seed.ts'
import { isThorough, someOf } from '../support/thorough.ts'
import { generatedRequests, type OpenApiDocument } from './generated-requests.ts'
import { interopRequests } from './hostile-interop.ts'
import { hostileRequests } from './hostile-requests.ts'
import { type Watched, WatchedServer } from './watched-server.ts'

const MOST_GROWN_MIB = 256
const LONGEST_ERROR = 2_000
/** There are some two thousand generated requests: each run tries others. */
const TRIED = isThorough ? 0.08 : 0.04

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
    expect(status < 500 || status === 504, `${name}: answered ${status} ${text.slice(0, 300)}`).toBe(true)
    // Errors of OGC API and STAC have their message twice.
    const most = text.includes('"description":') ? 2 * LONGEST_ERROR : LONGEST_ERROR
    if (status >= 400) expect(text.length, `${name}: length of its error`).toBeLessThan(most)
  }
  expect(watched.grownMiB, `${name}: memory`).toBeLessThan(MOST_GROWN_MIB)
  if (!watched.isQuick) expect(watched.livesBefore, `${name}: /livez answered before it`).toBeGreaterThan(0)
}

const requests = [...hostileRequests, ...interopRequests]

describe('alone', () => {
  it.each(requests)('%s', async (name, request) => {
    check(name, await server.watch([request]))
  })
})

describe('eight at once', () => {
  it.each(someOf(requests, 1 / 4))('%s', async (name, request) => {
    check(`${name}, 8 times`, await server.watch(Array.from({ length: 8 }, () => request)))
  })
})

describe('large values', () => {
  it(`of every list, text and parameter (seed ${seed})`, async () => {
    const document = (await must(server.base, { path: '/openapi.json' })) as OpenApiDocument
    const random = seededRandom(seed).next
    let tried = 0
    for (const { name, call } of generatedRequests(document, random)) {
      if (random() > TRIED) continue
      check(name, await server.watch([call()]))
      tried++
    }
    expect(tried).toBeGreaterThan(isThorough ? 60 : 25)
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
  console.log(worst('Longest stretch of the event loop (ms)', (watched) => watched.loopDelayMs))
  console.log(worst('Longest wait of /livez (ms)', (watched) => watched.longestLifeMs))
  console.log(worst('Most memory (MiB)', (watched) => watched.grownMiB))
}
