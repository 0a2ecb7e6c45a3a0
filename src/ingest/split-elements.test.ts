import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitElements } from './split-elements.ts'

async function split(text: string, chunkSize = text.length, longest = 1_000_000) {
  const bytes = Buffer.from(text)
  async function* chunks() {
    for (let i = 0; i < bytes.length; i += Math.max(1, chunkSize)) yield bytes.subarray(i, i + Math.max(1, chunkSize))
  }
  const elements = splitElements(chunks(), 'features', longest)
  const texts: string[] = []
  const lines: number[] = []
  let next = await elements.next()
  for (; next.done !== true; next = await elements.next()) {
    for (const piece of next.value) {
      texts.push(piece.tooLong ? 'too long' : piece.bytes.toString())
      lines.push(piece.line)
    }
  }
  return { texts, lines, ...next.value }
}

describe('splitElements', () => {
  it.each<[string, string[]]>([
    ['{"type":"FeatureCollection","features":[]}', []],
    ['{"features":[{"a":1}, {"b":[2]}]}', ['{"a":1}', '{"b":[2]}']],
    ['[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
    ['{"x":{"features":[1]},"features":[{"a":1}],"features2":[3]}', ['{"a":1}']],
    ['{"x":"features","y":[{}],"features":[{"a":"]}\\"{"}]}', ['{"a":"]}\\"{"}']],
    ['{"features":[1,"a,b",null,[2]]}', ['1', '"a,b"', 'null', '[2]']],
    ['{"features":[{"a":1}]}\n{"features":[{"b":2}]}', ['{"a":1}', '{"b":2}']],
    ['{"features":null}', []],
  ])('%s', async (text, expected) => {
    for (const chunkSize of [1, 2, 7, 1_000]) expect((await split(text, chunkSize)).texts).toEqual(expected)
  })

  it('tells a file that is cut short and one without the array', async () => {
    expect(await split('{"features":[{"a":1},{"b"')).toMatchObject({ texts: ['{"a":1}', '{"b"'], cutShort: true })
    expect(await split('{"type":"Feature"}')).toMatchObject({ texts: [], found: false })
    expect(await split('')).toMatchObject({ texts: [], found: false, cutShort: false })
  })

  it('numbers the lines on which elements begin', async () => {
    expect((await split('{"features":[\n{"a":1},\n\n{"b":\n2}\n,{}]}')).lines).toEqual([2, 4, 6])
  })

  it('drops an element that is too long and goes on', async () => {
    const text = `[{"a":"${'x'.repeat(100)}"},{"b":2}]`
    for (const chunkSize of [1, 30, 1_000])
      expect((await split(text, chunkSize, 50)).texts).toEqual(['too long', '{"b":2}'])
  })

  it('gives back every element, however the file is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (features, others, chunkSize, pretty) => {
          const { features: _, ...rest } = others
          const text = JSON.stringify({ ...rest, features, z: rest }, null, pretty ? 2 : undefined)
          const { texts } = await split(text, chunkSize)
          expect(texts.map((each) => JSON.parse(each))).toEqual(JSON.parse(JSON.stringify(features)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
