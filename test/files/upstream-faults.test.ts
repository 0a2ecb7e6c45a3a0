import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GREEN, plain, RED, vastPng } from './tiles/images.ts'
import { type MosaicFixture, startMosaics, TILE } from './tiles/mosaic-fixture.ts'
import {
  answering,
  type Behaviour,
  redirecting,
  refusing,
  resetting,
  silent,
  stalling,
  startUpstream,
  type Upstream,
} from './upstream-server.ts'

const TIMEOUT_MS = 2_000
const MOST_BYTES = 300_000

let mosaics: MosaicFixture
/** A host that is not allowed. */
let stranger: Upstream
let green: Buffer

beforeAll(async () => {
  mosaics = await startMosaics({
    'tiles.upstreamTimeoutMs': String(TIMEOUT_MS),
    'tiles.upstreamMaxBytes': String(MOST_BYTES),
    'tiles.upstreamCacheBytes': '0',
  })
  stranger = await startUpstream()
  green = await plain(GREEN)
})
afterAll(async () => {
  await mosaics.stop()
  await stranger.stop()
})

beforeEach(() => {
  mosaics.upstream.forget()
  stranger.forget()
  mosaics.upstream.on('good', answering(green))
  stranger.on('good', answering(green))
})

const drip: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' })
  const timer = setInterval(() => response.write(green.subarray(0, 1)), 20)
  response.once('close', () => clearInterval(timer))
}

const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'image/png' })
  const piece = Buffer.alloc(65_536, 0x20)
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}

const cutShort: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': green.length })
  response.write(green.subarray(0, green.length - 20), () => response.destroy())
}

const chain =
  (steps: number): Behaviour =>
  (response, request) => {
    const step = Number(new URL(request.url ?? '', 'http://x').searchParams.get('step') ?? 0)
    if (step === steps) answering(green)(response, request)
    else redirecting(`?step=${step + 1}`, [301, 302, 303, 307, 308][step % 5])(response, request)
  }

/** Whatever an upstream does wrong, by name. */
const faults: Readonly<Record<string, () => Behaviour>> = {
  'is not found': () => refusing(404),
  fails: () => refusing(503),
  'answers no content': () => (response) => response.writeHead(204).end(),
  'answers a part': () => (response) => response.writeHead(206, { 'content-type': 'image/png' }).end(green),
  'answers an error page as an image': () => answering(Buffer.from('<html>Sorry</html>')),
  'answers a page': () => answering(Buffer.from('<html>Hello</html>'), 'text/html'),
  'answers another kind of image': () =>
    answering(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'image/svg+xml'),
  'answers nothing': () => answering(Buffer.alloc(0)),
  'answers half an image': () => answering(green.subarray(0, 60)),
  'breaks off': () => cutShort,
  'resets the connection': () => resetting,
  'is silent': () => silent,
  'stalls in the middle': () => stalling(green),
  'drips byte by byte': () => drip,
  'never ends': () => endless,
  'is larger than allowed': () => answering(Buffer.concat([green, Buffer.alloc(MOST_BYTES)])),
  'is larger than allowed when unpacked': () => (response) =>
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.concat([green, Buffer.alloc(50 * MOST_BYTES)]))),
  'has 900 million pixels': () => answering(vastPng(30_000)),
  'redirects to a host that is not allowed': () => redirecting(`http://${stranger.host}/good/${TILE}.png`),
  'redirects to the same host by another name': () =>
    redirecting(`http://localhost:${mosaics.upstream.host.split(':')[1]}/good/${TILE}.png`),
  'redirects to a file': () => redirecting('file:///etc/passwd'),
  'redirects to data': () => redirecting(`data:image/png;base64,${green.toString('base64')}`),
  'redirects with a password': () => redirecting(`http://me:secret@${mosaics.upstream.host}/good/${TILE}.png`),
  'redirects to nowhere': () => redirecting('http://'),
  'redirects in a circle': () => redirecting('/bad/again'),
  'redirects four times': () => chain(4),
}

describe('an upstream that', () => {
  it.each(Object.entries(faults))('%s: is passed over, and told when there is no other', async (_, make) => {
    mosaics.upstream.on('bad', make())
    const both = await mosaics.tile(await mosaics.collectionOf(['bad', 'good']))
    expect(both.status).toBe(200)
    expect((await both.picture()).at(100, 100)).toEqual(GREEN)

    const alone = await mosaics.tile(await mosaics.collectionOf(['bad', 'bad']))
    expect(alone.status).toBe(500)
    expect(alone.error()).toMatchObject({ error: 'UPSTREAM_FAILED', message: expect.stringContaining('2') })
    expect(JSON.stringify(alone.error())).not.toMatch(/127\.0\.0\.1|localhost|bad/)
    // Two candidates are fetched side by side; the rest is what a busy machine needs.
    expect(alone.ms).toBeLessThan(2 * TIMEOUT_MS + 30_000)
    expect(stranger.requests).toEqual([])
  })

  it.each([0, 1, 2, 3])('redirects %s times within the allowed hosts is followed', async (steps) => {
    mosaics.upstream.on('bad', chain(steps))
    expect((await mosaics.tile(await mosaics.collectionOf(['bad']))).status).toBe(200)
  })

  it('is not there at all', async () => {
    const closed = createServer()
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
    const { port } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const other = await startMosaics({ 'tiles.upstreamHosts': '127.0.0.1' })
    const source = { url: `http://127.0.0.1:${port}/{id}/{z}/{x}/{y}` }
    expect((await other.tile(await other.collectionOf(['a'], { source }))).status).toBe(500)
    await other.stop()
  })

  it('is not allowed is never asked', async () => {
    for (const url of [
      `http://${stranger.host}/{id}/{z}/{x}/{y}.png`,
      `http://${mosaics.upstream.host}@${stranger.host}/{id}/{z}/{x}/{y}.png`,
      'ftp://127.0.0.1/{id}/{z}/{x}/{y}.png',
      '/{id}/{z}/{x}/{y}.png',
      'http://{id}/{z}/{x}/{y}.png',
    ]) {
      const name = await mosaics.collectionOf(['good'], { source: { url } })
      expect((await mosaics.tile(name)).status, url).toBe(500)
    }
    expect(stranger.requests).toEqual([])
  })
})

describe('what upstreams get to see', () => {
  it('nothing of the caller', async () => {
    const name = await mosaics.collectionOf(['good'])
    await fetch(`${mosaics.server.base}/explore/${name}/_tile/${TILE}.png`, {
      headers: { authorization: 'Bearer secret', cookie: 'a=secret', 'x-api-key': 'secret' },
    })
    expect(mosaics.upstream.requests).toHaveLength(1)
    expect(JSON.stringify(mosaics.upstream.requests[0]?.headers)).not.toContain('secret')
  })

  it('an end of the request when the caller leaves', async () => {
    const patient = await startMosaics({ 'tiles.upstreamTimeoutMs': '60000' })
    try {
      for (const segment of ['a', 'b', 'c']) patient.upstream.on(segment, segment === 'b' ? stalling(green) : silent)
      const name = await patient.collectionOf(['a', 'b', 'c', 'd'])
      const leaving = new AbortController()
      const answer = fetch(`${patient.server.base}/explore/${name}/_tile/${TILE}.png`, { signal: leaving.signal })
      await expect.poll(() => patient.upstream.requests.length).toBeGreaterThanOrEqual(1)
      const underway = [...patient.upstream.requests]
      leaving.abort()
      await expect(answer).rejects.toThrow()
      await Promise.all(underway.map(({ abandoned }) => abandoned))
      await expect.poll(() => patient.upstream.connections()).toBe(0)
      // Nothing else was begun.
      expect(patient.upstream.requests.length).toBeLessThanOrEqual(3)
    } finally {
      await patient.stop()
    }
  })

  it('an end of what was fetched ahead when it is not needed', async () => {
    const patient = await startMosaics({ 'tiles.upstreamTimeoutMs': '60000' })
    try {
      patient.upstream.on('good', answering(green))
      patient.upstream.on('slow', silent)
      const name = await patient.collectionOf(['good', 'slow', 'slow'])
      expect((await patient.tile(name)).status).toBe(200)
      const slow = patient.upstream.requests.filter(({ path }) => path.startsWith('/slow'))
      await Promise.all(slow.map(({ abandoned }) => abandoned))
    } finally {
      await patient.stop()
    }
  })
})

describe('the cache of upstream images', () => {
  it('spares requests, for good images only, and is bounded', async () => {
    const image = await plain(RED)
    const caching = await startMosaics({ 'tiles.upstreamCacheBytes': String(image.length * 2) })
    try {
      const { upstream, tile, collectionOf } = caching
      for (const segment of ['a', 'b', 'c']) upstream.on(segment, answering(image))
      upstream.on('bad', refusing(500))
      const asked = (segment: string): number =>
        upstream.requests.filter(({ path }) => path.startsWith(`/${segment}/`)).length
      const [a, b, c, bad] = await Promise.all(['a', 'b', 'c', 'bad'].map((segment) => collectionOf([segment])))
      for (const name of [a, a, a, bad, bad]) if (name !== undefined) await tile(name)
      expect([asked('a'), asked('bad')]).toEqual([1, 2])
      // Two fit: the third puts the first out.
      for (const name of [b, c, b, a]) if (name !== undefined) await tile(name)
      expect([asked('a'), asked('b'), asked('c')]).toEqual([2, 1, 1])
    } finally {
      await caching.stop()
    }
  })
})

describe('many faults', () => {
  it('leave no connection, no timer and no memory behind', async () => {
    const { upstream } = mosaics
    const kinds = ['is not found', 'resets the connection', 'stalls in the middle', 'never ends', 'breaks off']
    for (const [i, kind] of [...kinds, 'has 900 million pixels', 'is larger than allowed'].entries()) {
      upstream.on(`k${i}`, faults[kind]?.() ?? silent)
    }
    const name = await mosaics.collectionOf(Array.from({ length: 7 }, (_, i) => `k${i}`))
    const round = async (): Promise<void> => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => mosaics.tile(name)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
    }
    const resources = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap' || kind === 'Timeout').length
    await round()
    await expect.poll(() => upstream.connections()).toBeLessThan(10)
    const before = { memory: process.memoryUsage.rss(), resources: resources() }
    for (let i = 0; i < 4; i++) await round()
    await expect.poll(() => upstream.connections()).toBeLessThan(10)
    // Timers of the time-outs run out by themselves.
    await expect.poll(resources).toBeLessThan(before.resources + 30)
    expect(process.memoryUsage.rss() - before.memory).toBeLessThan(200 * 2 ** 20)
  })
})
