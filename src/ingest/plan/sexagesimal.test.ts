import { describe, expect, it } from 'vitest'
import { parseAngle, parseAnglePair } from './sexagesimal.ts'

describe('angles', () => {
  it.each<readonly [string, number | undefined]>([
    [`48°51'24"N`, 48.856667],
    ['48° 51′ 24″ N', 48.856667],
    ["73°58.5'W", -73.975],
    ['W 73 58.5', -73.975],
    ['-73° 58\' 30"', -73.975],
    ['48d51m24s', 48.856667],
    ['48:51:24', 48.856667],
    ["S33°51,5'", -33.858333],
    ['2°E', 2],
    [`48°61'00"N`, undefined],
    [`48°51'75"N`, undefined],
    ['N48°51\'24"S', undefined],
    ['48.85', undefined],
    ['48', undefined],
    ['Main street 5', undefined],
    [`${'4'.repeat(50)}°`, undefined],
  ])('%s', (text, degrees) => {
    const angle = parseAngle(text)
    expect(angle === undefined ? undefined : Number(angle.toFixed(6))).toBe(degrees)
  })

  it.each<readonly [string, readonly [number, number] | undefined]>([
    [`48°51'00"N 2°21'00"E`, [48.85, 2.35]],
    [`48°51'00"N, 2°21'00"E`, [48.85, 2.35]],
    [`2°21'00"W/48°51'00"N`, [48.85, -2.35]],
    [`N 48 51, W 2 21`, [48.85, -2.35]],
    [`48°51'00"N 2°21'00"N`, undefined],
    ['nothing', undefined],
  ])('%s', (text, pair) => {
    expect(parseAnglePair(text)).toEqual(pair)
  })
})
