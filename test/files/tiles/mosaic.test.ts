import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answering } from '../upstream-server.ts'
import { BLUE, type Color, GREEN, jpeg, leftHalf, NOTHING, otherForms, plain, png, RED, rightHalf } from './images.ts'
import { type MosaicFixture, startMosaics, statusOf, TILE } from './mosaic-fixture.ts'

let mosaics: MosaicFixture

beforeAll(async () => {
  mosaics = await startMosaics({ 'tiles.upstreamCacheBytes': '0' })
})
afterAll(() => mosaics.stop())

beforeEach(async () => {
  const { upstream } = mosaics
  upstream.forget()
  upstream.on('red', answering(await plain(RED)))
  upstream.on('green', answering(await plain(GREEN)))
  upstream.on('left', answering(await leftHalf(RED)))
  upstream.on('right', answering(await rightHalf(GREEN)))
})

const askedFor = (): readonly string[] => mosaics.upstream.requests.map(({ path }) => path.split('/')[1] ?? '')

describe('tiles composed of images', () => {
  it('the first candidate is on top, later ones fill', async () => {
    const name = await mosaics.collectionOf(['left', 'green'])
    const picture = await (await mosaics.tile(name)).picture()
    expect(picture).toMatchObject({ width: 256, height: 256 })
    expect([picture.at(10, 10), picture.at(200, 10)]).toEqual([RED, GREEN])
    const reversed = await (await mosaics.tile(name, 'sort=-rank')).picture()
    expect([reversed.at(10, 10), reversed.at(200, 10)]).toEqual([GREEN, GREEN])
  })

  it('stops when enough is painted', async () => {
    const name = await mosaics.collectionOf(['left', 'right', 'green'])
    const half = await (await mosaics.tile(name, 'coverage=50')).picture()
    expect([half.at(10, 10), half.at(200, 10)]).toEqual([RED, NOTHING])
    const whole = await (await mosaics.tile(name, 'coverage=51')).picture()
    expect([whole.at(10, 10), whole.at(200, 10)]).toEqual([RED, GREEN])
    // 70 percent unless told otherwise.
    expect((await (await mosaics.tile(name)).picture()).alpha(200, 10)).toBe(255)
  })

  it('looks at every so many pixels', async () => {
    const name = await mosaics.collectionOf(['left', 'green'])
    // Columns 0 and 200 are looked at: one of two is painted.
    expect((await (await mosaics.tile(name, 'sampling=200&coverage=50')).picture()).alpha(200, 10)).toBe(0)
    expect((await (await mosaics.tile(name, 'sampling=200&coverage=51')).picture()).alpha(200, 10)).toBe(255)
    // Only the first column and row.
    expect((await (await mosaics.tile(name, 'sampling=256&coverage=100')).picture()).alpha(200, 10)).toBe(0)
  })

  it('fetches no more than three ahead, and from, size and after choose the candidates', async () => {
    const name = await mosaics.collectionOf(['red', 'green', 'red', 'green', 'red', 'green', 'red'])
    expect((await (await mosaics.tile(name)).picture()).at(5, 5)).toEqual(RED)
    expect(mosaics.upstream.requests.length).toBeLessThanOrEqual(4)
    expect((await (await mosaics.tile(name, 'from=1&size=1')).picture()).at(5, 5)).toEqual(GREEN)
    expect((await (await mosaics.tile(name, 'sort=id&after=c000')).picture()).at(5, 5)).toEqual(GREEN)
    expect((await mosaics.tile(name, 'size=51')).status).toBe(400)
    expect((await mosaics.tile(name, 'size=50')).status).toBe(200)
  })

  it('tries ten candidates unless told otherwise', async () => {
    const nothing = await plain(NOTHING)
    for (let i = 0; i < 15; i++) mosaics.upstream.on(`empty${i}`, answering(nothing))
    const name = await mosaics.collectionOf([...Array.from({ length: 10 }, (_, i) => `empty${i}`), 'red'])
    expect((await (await mosaics.tile(name)).picture()).alpha(5, 5)).toBe(0)
    expect(askedFor()).not.toContain('red')
    expect((await (await mosaics.tile(name, 'size=11')).picture()).at(5, 5)).toEqual(RED)
  })

  it('half-transparent pixels are blended over what comes under them', async () => {
    mosaics.upstream.on('veil', answering(await plain([255, 0, 0, 128])))
    mosaics.upstream.on('deep', answering(await plain([0, 0, 255, 128])))
    const over = async (...images: readonly string[]): Promise<readonly number[]> =>
      (await (await mosaics.tile(await mosaics.collectionOf(images), 'coverage=100&sampling=1')).picture()).at(9, 9)
    // Painted is what has any alpha at all: the veil alone is enough.
    expect(await over('veil', 'green')).toEqual([255, 0, 0, 128])
    // Where a part is open still, the rest is blended: 128/255 of red over blue.
    mosaics.upstream.on('curtain', answering(await png((x) => (x < 64 ? [255, 0, 0, 128] : NOTHING))))
    const [red = 0, , blue = 0, alpha] = await over('curtain', 'deep')
    expect(alpha).toBe(192)
    expect(Math.abs(red - (255 * 128) / 192)).toBeLessThanOrEqual(1)
    expect(Math.abs(blue - (255 * 64) / 192)).toBeLessThanOrEqual(1)
    expect(await over('curtain', 'green')).toEqual([128, 127, 0, 255])
  })

  it('images are cropped to raster_tile_width and raster_tile_height, and never stretched', async () => {
    mosaics.upstream.on('large', answering(await png((x, y) => (x === 99 && y === 59 ? BLUE : RED), 300, 200)))
    mosaics.upstream.on('small', answering(await plain(GREEN, 50, 20)))
    const params = { raster_tile_width: 100, raster_tile_height: 60 }
    const cropped = await (await mosaics.tile(await mosaics.collectionOf(['large'], { params }))).picture()
    expect(cropped).toMatchObject({ width: 100, height: 60 })
    expect(cropped.at(99, 59)).toEqual(BLUE)
    const filled = await (await mosaics.tile(await mosaics.collectionOf(['small', 'large'], { params }))).picture()
    expect([filled.at(49, 19), filled.at(50, 19), filled.at(99, 59)]).toEqual([GREEN, RED, BLUE])
    // Without both, the first image that is had tells.
    const free = { params: { raster_tile_width: 100 } }
    const first = await (await mosaics.tile(await mosaics.collectionOf(['gone', 'small', 'large'], free))).picture()
    expect(first).toMatchObject({ width: 50, height: 20 })
  })

  it('JPEG is opaque, in its colours', async () => {
    mosaics.upstream.on('photo', answering(await jpeg([10, 200, 30, 255]), 'image/jpeg'))
    const [red = 0, green = 0, blue = 0, alpha] = (
      await (await mosaics.tile(await mosaics.collectionOf(['photo']))).picture()
    ).at(100, 100)
    expect(alpha).toBe(255)
    for (const [seen, meant] of [
      [red, 10],
      [green, 200],
      [blue, 30],
    ] as const) {
      expect(Math.abs(seen - meant)).toBeLessThanOrEqual(3)
    }
  })

  it.each(Object.entries(otherForms))('PNG %s', async (_, make) => {
    const color: Color = [10, 200, 30, 255]
    mosaics.upstream.on('form', answering(await make(color)))
    expect((await (await mosaics.tile(await mosaics.collectionOf(['form']))).picture()).at(7, 7)).toEqual(color)
  })
})

describe('candidates', () => {
  it('without the value of id_path are passed over', async () => {
    const name = await mosaics.collectionOf([{ image: undefined }, { image: null }, { image: [] }, 'green'])
    expect((await (await mosaics.tile(name)).picture()).at(1, 1)).toEqual(GREEN)
    const lone = await mosaics.tile(await mosaics.collectionOf([{ image: undefined }]))
    expect(lone.status).toBe(500)
  })

  it('ids are one segment of the address, whatever they hold', async () => {
    const odd = ['a/b', 'ü ?#&=', '100%', 'x%2Fy', '{x}']
    for (const id of odd) mosaics.upstream.on(encodeURIComponent(id), answering(await plain(NOTHING, 8)))
    const source = { url: `http://${mosaics.upstream.host}/{id}/{z}/{x}/{y}?also={id}&{x}` }
    const name = await mosaics.collectionOf(odd, { source })
    expect((await mosaics.tile(name)).status).toBe(200)
    const paths = mosaics.upstream.requests.map(({ path }) => path)
    expect(paths.toSorted()).toEqual(
      odd.map((id) => `/${encodeURIComponent(id)}/${TILE}?also=${encodeURIComponent(id)}&512`).toSorted(),
    )
  })

  it('ids that would lead elsewhere are not asked for', async () => {
    const name = await mosaics.collectionOf(['..', '.', 'green'])
    expect((await (await mosaics.tile(name)).picture()).at(1, 1)).toEqual(GREEN)
    expect(askedFor()).toEqual(['green'])
  })

  it('numbers are ids too', async () => {
    mosaics.upstream.on('7', answering(await plain(BLUE)))
    const name = await mosaics.collectionOf([{ rank: 7 }], { source: { id_path: 'rank' } })
    expect((await (await mosaics.tile(name)).picture()).at(1, 1)).toEqual(BLUE)
  })

  it('documents without geometry count unless check_geometry is set', async () => {
    const candidates = [{ image: 'red', shape: undefined }, { image: 'green' }]
    const unchecked = await mosaics.collectionOf(candidates)
    expect((await (await mosaics.tile(unchecked)).picture()).at(1, 1)).toEqual(RED)
    const source = { check_geometry: true }
    const checked = await mosaics.collectionOf(candidates, { source })
    expect((await (await mosaics.tile(checked)).picture()).at(1, 1)).toEqual(GREEN)
    // Elsewhere, only those without a place are left.
    expect((await mosaics.tile(unchecked, '', '10/0/0')).status).toBe(200)
    expect((await mosaics.tile(checked, '', '10/0/0')).status).toBe(204)
  })

  it('touching the tile is enough, and filters hold', async () => {
    const corner = { image: 'red', shape: { type: 'Point', coordinates: [0, 0] } }
    const name = await mosaics.collectionOf([corner])
    for (const place of ['10/512/512', '10/511/511', '10/511/512', '10/512/511']) {
      expect((await mosaics.tile(name, '', place)).status, place).toBe(200)
    }
    expect((await mosaics.tile(name, '', '10/513/511')).status).toBe(204)
    expect((await mosaics.tile(name, 'f=image:eq:green')).status).toBe(204)
  })

  it('zooms outside min_z and max_z have no tile, whatever x and y', async () => {
    const name = await mosaics.collectionOf(['red'], { source: { min_z: 5, max_z: 12 } })
    const status = (place: string): Promise<number> =>
      statusOf(mosaics.server.base, `/explore/${name}/_tile/${place}.png`)
    expect(await Promise.all(['0/1/1', '4/1/1', '13/0/0', '28/99999999999/0'].map(status))).toEqual([
      204, 204, 204, 204,
    ])
    expect(await Promise.all(['5/16/15', '12/2048/2047'].map(status))).toEqual([200, 200])
    expect(await Promise.all(['29/0/0', 'a/0/0', '5/32/0', '5/0/-1'].map(status))).toEqual([400, 400, 400, 400])
    const open = await mosaics.collectionOf(['red'])
    const inOpen = (place: string): Promise<number> =>
      statusOf(mosaics.server.base, `/explore/${open}/_tile/${place}.png`)
    expect(await Promise.all(['0/0/0', '18/131072/131071', '19/262144/262143'].map(inOpen))).toEqual([200, 200, 204])
  })
})
