import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../support/patience.ts'
import { countOf, type Follower, hasCount, startFollower } from './follower.ts'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

const event = (id: number, mag = id): string =>
  `{"id":${id},"time":"2024-05-01","mag":${mag},"location":"${id % 80},2"}\n`
const events = (first: number, end: number): string =>
  Array.from({ length: end - first }, (_, i) => event(first + i)).join('')

// Commands that run beside a server are processes of their own.
describe('load --follow', () => {
  let place: Workplace
  let server: RunningServer
  beforeAll(async () => {
    place = makeWorkplace()
    server = await place.serve()
  })
  afterAll(async () => {
    await server?.stop()
    place?.remove()
  })

  const start = (name: string, ...args: readonly string[]): Follower => startFollower(place, name, ...args)
  const count = (collection: string): Promise<unknown> => countOf(server, collection)
  const counts = (collection: string, expected: number, follower: Follower): Promise<void> =>
    hasCount(server, collection, expected, follower)

  it('loads what is appended, goes on after a restart, and follows rotation and truncation', async () => {
    const file = place.path('events.ndjson')
    writeFileSync(file, events(0, 100))
    let follower = start('events.ndjson')
    await counts('events', 100, follower)
    appendFileSync(file, events(100, 150) + event(5, 500) + event(150).slice(0, 20))
    await counts('events', 150, follower)
    appendFileSync(file, event(150).slice(20))
    await counts('events', 151, follower)
    const changed = await (await fetch(`${server.url}/explore/events/5?flat=true`)).json()
    expect(changed).toMatchObject({ data: { mag: 500 } })
    expect([await follower.stop('SIGINT'), follower.errors()]).toEqual([
      0,
      expect.stringContaining('Stopped: loaded 152 documents'),
    ])

    // While nothing reads, the file grows, is rotated, and a new one begins.
    appendFileSync(file, events(151, 160))
    renameSync(file, `${file}.1`)
    writeFileSync(file, events(160, 165))
    follower = start('events.ndjson')
    await counts('events', 165, follower)
    expect(follower.errors()).toContain('Going on at byte')

    // Rotated while it is followed, with a line that was not complete.
    appendFileSync(file, events(165, 170) + event(170).trimEnd())
    renameSync(file, `${file}.2`)
    writeFileSync(file, events(171, 175))
    await counts('events', 175, follower)
    truncateSync(file, 0)
    appendFileSync(file, events(175, 176))
    await counts('events', 176, follower)
    expect(await follower.stop()).toBe(0)
    expect(follower.errors()).toContain('was replaced: reading the new file')

    const position = JSON.parse(readFileSync(place.path('events.ndjson.position.json'), 'utf8'))
    expect(position.place.offset).toBe(Buffer.byteLength(events(175, 176)))
  })

  it('loses nothing when it is killed', async () => {
    const file = place.path('killed.ndjson')
    writeFileSync(file, events(0, 10))
    let follower = start('killed.ndjson')
    await counts('killed', 10, follower)
    appendFileSync(file, events(10, 20_000))
    await vi.waitFor(async () => expect(await count('killed')).toBeGreaterThan(10), PATIENT)
    await follower.stop('SIGKILL')
    follower = start('killed.ndjson')
    await counts('killed', 20_000, follower)
    expect(await follower.stop()).toBe(0)
  })

  it('follows CSV, numbers rows on, repeats no header and rejects what does not fit', async () => {
    const file = place.path('trips.csv')
    writeFileSync(file, 'name,lat,lon\n')
    const follower = start('trips.csv')
    appendFileSync(file, '"a ""b""\nc",1,2\nd,3,4\n')
    await counts('trips', 2, follower)
    appendFileSync(file, 'e,5,6\nf,500,6\n')
    await counts('trips', 3, follower)
    renameSync(file, `${file}.old`)
    writeFileSync(file, 'name,lat,lon\ng,7,8\n')
    await counts('trips', 4, follower)
    expect(await follower.stop()).toBe(3)
    expect(readFileSync(place.path('trips.csv.rejects.ndjson'), 'utf8')).toContain('has the latitude 500')
    const found = await (await fetch(`${server.url}/explore/trips/_search?sort=row`)).json()
    const { hits } = found as { readonly hits: readonly { readonly data: { readonly name: string } }[] }
    expect(hits.map(({ data }) => data.name)).toEqual(['a "b"\nc', 'd', 'e', 'g'])
  })

  it('reads a pipe until it ends', async () => {
    const follower = start('-', '--index', 'piped', '--collection', 'piped')
    follower.process.stdin?.write(events(0, 3))
    await counts('piped', 3, follower)
    follower.process.stdin?.end(event(3).trimEnd())
    await counts('piped', 4, follower)
    await vi.waitFor(() => expect(follower.process.exitCode).toBe(0), PATIENT)
  })

  it('refuses what cannot be followed', async () => {
    writeFileSync(place.path('other.position.json'), '{"file":"x"}')
    writeFileSync(place.path('one.ndjson'), events(0, 1))
    for (const [args, text] of [
      [['load', 'one.ndjson', 'two.ndjson', '--follow'], '--follow needs one file'],
      [['load', 'none.ndjson', '--follow'], 'does not exist'],
      [['load', 'one.ndjson', '--follow', '--position', 'other.position.json'], 'is no position of a followed file'],
      [['load', 'one.ndjson', '--follow', '--format', 'parquet'], '--follow reads NDJSON, CSV and TSV'],
    ] as const) {
      const { code, stderr } = await place.run(args)
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(text)])
      expect(code).not.toBe(0)
    }
  })
})
