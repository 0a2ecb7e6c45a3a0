import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../bench/data/random.ts'
import { seed } from '../../../../test/support/seed.ts'
import { endOfNumber, endOfValue, numberIn } from './json-bytes.ts'

const read = (text: string): number | undefined => {
  const bytes = Buffer.from(`${text},`)
  return numberIn(bytes, 0, endOfNumber(bytes, 0))
}

describe('numbers in bytes', () => {
  it('are those the parser reads, or none', () => {
    const random = seededRandom(seed)
    for (let n = 0; n < 50_000; n++) {
      const digits = String(Math.floor(random.next() * 10 ** (1 + random.below(15))))
      const point = random.below(digits.length + 1)
      const whole = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0'
      const text = `${random.next() < 0.5 ? '-' : ''}${whole}${point < digits.length ? `.${digits.slice(point)}` : ''}`
      const found = read(text)
      if (found !== undefined) expect(found, `seed ${seed}: ${text}`).toBe(JSON.parse(text))
      else expect(text.replace(/[-.]/g, '').length, text).toBeGreaterThan(15)
    }
  })

  it('are left to the parser when they are long or have an exponent', () => {
    expect(read('1234567890123456')).toBeUndefined()
    expect(endOfNumber(Buffer.from('1e3'), 0)).toBe(0)
    expect(endOfNumber(Buffer.from('"1"'), 0)).toBe(0)
  })
})

describe('endOfValue', () => {
  it.each(['1', '-1.5e3', 'true', 'null', '""', '"a\\"]}"', '[]', '[1,[2],{"a":"]"}]', '{"a":{"b":"}\\\\"}}'])(
    'is behind %s',
    (value) => {
      for (const after of [',1', '}', ']', ' ,']) {
        expect(endOfValue(Buffer.from(`x${value}${after}`), 1)).toBe(1 + value.length)
      }
    },
  )
})
