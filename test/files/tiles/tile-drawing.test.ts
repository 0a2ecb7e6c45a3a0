import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collections, documents, mapping, toBulk } from '../../conformance/dataset.ts'
import { startTunedServer, type TunedServer } from '../../http/tuned-server.ts'
import { call } from '../../support/http-client.ts'
import { createIndex, deleteCollection, putCollection } from '../../support/index-loading.ts'
import { drawnMapping, drawnParams } from '../drawn-documents.ts'
import { type Picture, readPicture } from './picture.ts'

/** Of 255: what a formula may be missed by. */
const TOLERANCE = 3
/** Place in which tile 4/8/8 has round pixels: its north-west corner is 0, 0, and 256 pixels are 22.5 degrees. */
const DEGREES = 22.5 / 256
/** Longitude or latitude of a pixel of tile 4/8/8, for what lies close to the equator, where the projection is plain. */
const lon = (x: number): number => x * DEGREES
const lat = (y: number): number => -((Math.atan(Math.sinh((y * DEGREES * Math.PI) / 180)) * 180) / Math.PI)

const position = (x: number, y: number): readonly number[] => [lon(x), lat(y)]
const box = (west: number, north: number, east: number, south: number): readonly (readonly number[])[] =>
  [
    [west, north],
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ].map(([x = 0, y = 0]) => position(x, y))

const polygon = (...rings: readonly (readonly (readonly number[])[])[]) => ({ type: 'Polygon', coordinates: rings })
const line = (...positions: readonly (readonly number[])[]) => ({ type: 'LineString', coordinates: positions })
const point = (x: number, y: number) => ({ type: 'Point', coordinates: position(x, y) })

describe('tiles that are drawn', () => {
  let server: TunedServer

  beforeAll(async () => {
    server = await startTunedServer({ 'tiles.color': '#ff8000' })
    await createIndex(server.base, 'dataset', mapping, toBulk(documents()))
    const { raster_tile_url: _, ...drawn } = collections.geodata
    await putCollection(server.base, 'squares', drawn)
  })
  afterAll(() => server.stop())

  let made = 0
  /** The tile 4/8/8, or another, of a collection of these shapes. */
  async function draw(
    shapes: readonly unknown[],
    { place = '4/8/8', query = '' }: { readonly place?: string; readonly query?: string } = {},
  ): Promise<Picture> {
    const name = `drawn-${made++}`
    const lines = shapes.map(
      (shape, i) => `{"index":{}}\n${JSON.stringify({ id: `e${String(i).padStart(4, '0')}`, at: i, shape })}\n`,
    )
    await createIndex(server.base, name, drawnMapping, lines.join(''))
    await putCollection(server.base, name, { index_name: name, ...drawnParams })
    const response = await fetch(`${server.base}/explore/${name}/_tile/${place}.png?${query}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    const picture = await readPicture(new Uint8Array(await response.arrayBuffer()))
    expect(picture).toMatchObject({ width: 256, height: 256 })
    await deleteCollection(server.base, name)
    return picture
  }

  const expectAlpha = (picture: Picture, x: number, y: number, share: number): void => {
    expect(Math.abs(picture.alpha(x, y) - share * 255), `alpha at ${x}, ${y}`).toBeLessThanOrEqual(TOLERANCE)
  }

  it('n fills over one pixel have the alpha of 1 - 0.65^n', async () => {
    // The i-th covers all columns from 20 i on.
    const picture = await draw(Array.from({ length: 12 }, (_, i) => polygon(box(20 * i, 40, 400, 200))))
    for (let n = 1; n <= 12; n++) expectAlpha(picture, 20 * n - 10, 120, 1 - 0.65 ** n)
    expect(picture.alpha(10, 30)).toBe(0)
    expect(picture.at(130, 120).slice(0, 3)).toEqual([255, 128, 0])
  })

  it('holes stay open, parts that overlap do not become holes', async () => {
    const several = { type: 'MultiPolygon', coordinates: [[box(10, 10, 60, 60)], [box(40, 40, 90, 90)]] }
    const picture = await draw([polygon(box(100, 100, 200, 200), box(130, 130, 170, 170).toReversed()), several])
    expectAlpha(picture, 115, 150, 0.35)
    expect(picture.alpha(150, 150)).toBe(0)
    expectAlpha(picture, 25, 25, 0.35)
    // A document covers itself but once.
    expectAlpha(picture, 50, 50, 0.35)
  })

  it('outlines are a pixel wide and darker than the fill', async () => {
    const picture = await draw([polygon(box(100.5, 100.5, 200.5, 200.5))])
    expectAlpha(picture, 100, 150, 1 - (1 - 0.35 / 2) * 0.3)
    expectAlpha(picture, 103, 150, 0.35)
    expect(picture.alpha(98, 150)).toBe(0)
  })

  it('n points on one place have the alpha of 1 - 0.5^n, in discs of radius 3', async () => {
    const picture = await draw([point(50, 50), ...Array.from({ length: 4 }, () => point(100, 100))])
    expectAlpha(picture, 50, 50, 0.5)
    expectAlpha(picture, 100, 100, 1 - 0.5 ** 4)
    expectAlpha(picture, 51, 50, 0.5)
    expect(picture.alpha(53, 50)).toBeLessThan(64)
    expect(picture.alpha(54, 50)).toBe(0)
    // Close to 9 pi pixels, half transparent.
    let sum = 0
    for (let x = 44; x < 57; x++) for (let y = 44; y < 57; y++) sum += picture.alpha(x, y)
    expect(sum / 255 / 0.5).toBeGreaterThan(27)
    expect(sum / 255 / 0.5).toBeLessThan(30)
  })

  it('lines are two pixels wide, with the alpha of 1 - 0.3^n', async () => {
    const across = line(position(20, 100), position(200, 100))
    const picture = await draw([across, across, line(position(20, 50), position(200, 50))])
    for (const y of [49, 50]) expectAlpha(picture, 100, y, 0.7)
    for (const y of [99, 100]) expectAlpha(picture, 100, y, 1 - 0.3 ** 2)
    for (const y of [47, 52, 97, 102]) expect(picture.alpha(100, y)).toBe(0)
  })

  it('what is smaller than two pixels is a point', async () => {
    const picture = await draw([polygon(box(99.5, 99.5, 101, 101)), line(position(50, 50), position(51, 51))])
    for (const [x, y] of [
      [100, 100],
      [102, 100],
      [50, 50],
      [50, 52],
    ] as const)
      expectAlpha(picture, x, y, 0.5)
    expect(picture.alpha(105, 100)).toBe(0)
  })

  it('what lies beyond the edge is seen as far as it reaches, and goes on in the next tile', async () => {
    const shapes = [point(-1, 100), point(-5, 200), line(position(-100, 50), position(100, 50))]
    const east = await draw(shapes)
    const west = await draw(shapes, { place: '4/7/8' })
    expectAlpha(east, 0, 100, 0.5)
    expect(east.alpha(0, 200)).toBe(0)
    expectAlpha(west, 254, 100, 0.5)
    for (const [picture, x] of [
      [east, 0],
      [west, 255],
    ] as const)
      expectAlpha(picture, x, 50, 0.7)
  })

  it('a page of the elements can be asked for', async () => {
    const shapes = [polygon(box(10, 10, 50, 50)), polygon(box(60, 10, 100, 50)), polygon(box(110, 10, 150, 50))]
    const seen = async (query: string): Promise<readonly boolean[]> => {
      const picture = await draw(shapes, { query })
      return [30, 80, 130].map((x) => picture.alpha(x, 30) > 0)
    }
    expect(await seen('')).toEqual([true, true, true])
    expect(await seen('size=1')).toEqual([true, false, false])
    expect(await seen('size=1&from=1')).toEqual([false, true, false])
    expect(await seen('size=2&sort=-at')).toEqual([false, true, true])
    expect(await seen('f=at:lt:1')).toEqual([true, false, false])
  })

  it('the example of the sample', async () => {
    const response = await fetch(`${server.base}/explore/squares/_tile/4/8/7.png`)
    const picture = await readPicture(new Uint8Array(await response.arrayBuffer()))
    expectAlpha(picture, 114, 142, 0.35)
    expect(picture.alpha(57, 199)).toBe(0)
    expect((await call(server.base, { path: '/explore/squares/_tile/4/0/0.png' })).status).toBe(204)
  })

  it.each([
    ['29/0/0', ''],
    ['-1/0/0', ''],
    ['x/0/0', ''],
    ['4/16/0', ''],
    ['4/0/16', ''],
    ['4/1.5/0', ''],
    ['4/8/7', 'sampling=0'],
    ['4/8/7', 'coverage=0'],
    ['4/8/7', 'coverage=101'],
    ['4/8/7', 'coverage=12.5'],
    ['4/8/7', 'size=0'],
    ['4/8/7', 'size=10001'],
    ['4/8/7', 'f=nosuchoperator:xx:1'],
  ])('%s.png?%s is refused', async (place, query) => {
    const answer = await call(server.base, { path: `/explore/squares/_tile/${place}.png?${query}` })
    expect([400, 404]).toContain(answer.status)
    expect(answer.headers['content-type']).toMatch(/json/)
  })
})
