import { expect, it } from 'vitest'
import { parseIp } from './ip-address.ts'
import { printIp } from './ip-text.ts'

it.each([
  '10.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::',
  '::1',
  '1::',
  '2001:db8::1',
  '2001:db8:0:1:1:1:1:1',
  '2001:0:0:1::1',
  '2001:db8::1:0:0:1',
  'fe80::1ff:fe23:4567:890a',
  '1:2:3:4:5:6:7:8',
])('prints %s as it is commonly written', (address) => {
  expect(printIp(parseIp(address) ?? '')).toBe(address)
})

it('prints an IPv4-mapped address as IPv4', () => {
  expect(printIp(parseIp('::ffff:192.168.1.20') ?? '')).toBe('192.168.1.20')
})
