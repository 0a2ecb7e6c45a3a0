import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIp } from './ip-address.ts'

describe('parseIp', () => {
  it.each([
    ['192.168.0.1', '00000000000000000000ffffc0a80001'],
    ['0.0.0.0', '00000000000000000000ffff00000000'],
    ['::ffff:192.168.0.1', '00000000000000000000ffffc0a80001'],
    ['::FFFF:c0a8:1', '00000000000000000000ffffc0a80001'],
    ['::', '0'.repeat(32)],
    ['::1', `${'0'.repeat(31)}1`],
    ['2001:db8::8a2e:370:7334', '20010db80000000000008a2e03707334'],
    ['2001:0DB8:0:0:0:8a2e:370:7334', '20010db80000000000008a2e03707334'],
    ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
    ['64:ff9b::1.2.3.4', '0064ff9b000000000000000001020304'],
  ])('%s', (text, expected) => {
    expect(parseIp(text)).toBe(expected)
  })

  it.each([
    '',
    'foo',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    ' 1.2.3.4',
    '1.2.3.4/16',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8::',
    '1:2:3:4:5:6:7',
    '12345::',
    'fe80::1%eth0',
    '[::1]',
    '1.2.3.4::',
    '::1.2.3',
    '1:',
  ])('is no address: %j', (text) => {
    expect(parseIp(text)).toBeUndefined()
  })

  it('accepts what the runtime accepts', () => {
    const text = fc.string({ unit: fc.constantFrom('::', ':', '.', '1', '25', 'ffff', 'a', '0'), maxLength: 15 })
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), text), (t) => {
        expect(parseIp(t) !== undefined).toBe(isIP(t) !== 0)
      }),
      { numRuns: 2000 },
    )
  })
})
