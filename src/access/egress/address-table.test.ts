import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './address-table.ts'
import { readIp } from './ip-bytes.ts'

const isPublic = (text: string): boolean => {
  const address = readIp(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  return isPublicAddress(address)
}

/** First and last address of each range, and the adjacent addresses if they are public. */
type Row = readonly [name: string, first: string, last: string, before?: string | undefined, after?: string]

const ranges: readonly Row[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['below 2000::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  ['above 2000::/3', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::'],
  ['::1', '::1', '::1'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff::'],
  ['fec0::/10', 'fec0::', 'feff:ffff::'],
  ['ff00::/8', 'ff00::', 'ff02::1'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff::'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff::', '2001:ffff::', '2003::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff::8.8.8.8'],
  ['IPv4-compatible', '::8.8.8.8', '::1.2.3.4'],
]

describe('the table of refused addresses', () => {
  it.each(ranges.map(([name, first, last]) => [name, first, last] as const))(
    'refuses %s from first to last',
    (_name, first, last) => {
      expect([isPublic(first), isPublic(last)]).toEqual([false, false])
    },
  )

  it.each(ranges.filter(([, , , before, after]) => before !== undefined || after !== undefined))(
    'allows the neighbours of %s',
    (_name, _first, _last, before, after) => {
      for (const neighbour of [before, after]) if (neighbour !== undefined) expect(isPublic(neighbour)).toBe(true)
    },
  )

  it('judges mapped and translated addresses by the IPv4 address inside', () => {
    const inner = ['8.8.8.8', '127.0.0.1', '10.1.2.3', '169.254.169.254', '93.184.216.34', '192.168.0.1']
    for (const prefix of ['::ffff:', '64:ff9b::', '0:0:0:0:0:FFFF:', '0064:ff9b:0:0:0:0:']) {
      expect(inner.map((address) => isPublic(prefix + address))).toEqual(inner.map(isPublic))
    }
    expect(isPublic('::ffff:7f00:1')).toBe(false)
    expect(isPublic('::ffff:808:808')).toBe(true)
    expect(isPublic('64:ff9b::a00:1')).toBe(false)
    // IPv4-translated, not IPv4-mapped.
    expect(isPublic('::ffff:0:8.8.8.8')).toBe(false)
  })

  it('reads no zones', () => {
    expect(readIp('fe80::1%eth0')).toBeUndefined()
    expect(readIp('2600::1%1')).toBeUndefined()
  })
})
