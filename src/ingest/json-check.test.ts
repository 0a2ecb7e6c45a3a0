import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../bench/data/random.ts'
import { seed } from '../../test/support/seed.ts'
import { isJsonObjectAt } from './json-check.ts'

const check = (text: string): boolean => {
  const bytes = Buffer.from(`x${text}x`)
  return isJsonObjectAt(bytes, 1, bytes.length - 1)
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

const SEEDS = [
  '{}',
  '{"a":1,"b":-0.5e+10,"c":[true,false,null,{}],"d":{"e":"\\u00e9\\n\\"é"}}',
  ' {"a":1}',
  '{"a":01}',
  '{"a":1.}',
  '{"a":-}',
  '{"a":1e}',
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":[1,]}',
  '{"a":tru}',
  '{"a" : [ ] , "b":{ } }',
  '{"a":"\t"}',
  '{"a":1}}',
  '{"a":1',
  '{,}',
  '{"a":1,}',
  '{"a"}',
  '[]',
  '1',
]

describe('isJsonObjectAt', () => {
  it.each(SEEDS)('agrees with the parser on %s', (text) => {
    expect(check(text)).toBe(text.startsWith(' ') ? false : isJsonObject(text))
  })

  it('agrees with the parser however a text is broken', () => {
    const random = seededRandom(seed)
    const letters = '{}[]",:\\u0123456789eE+-. tfnab\u0001é'
    const any = () => letters[random.below(letters.length)] ?? ''
    let valid = 0
    for (let n = 0; n < 20_000; n++) {
      let text = SEEDS[random.below(SEEDS.length)] ?? ''
      for (let i = random.below(3); i > 0; i--) {
        const at = random.below(text.length + 1)
        text = text.slice(0, at) + (random.next() < 0.5 ? any() : '') + text.slice(at + random.below(2))
      }
      text = text.trim()
      const expected = isJsonObject(text)
      if (expected) valid++
      expect(check(text), `seed ${seed}: ${text}`).toBe(expected)
    }
    expect(valid).toBeGreaterThan(1000)
  })

  it('leaves what is very deep to the parser', () => {
    expect(check(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)).toBe(true)
    expect(check(`{"a":${'['.repeat(60)}${']'.repeat(60)}}`)).toBe(false)
  })
})
