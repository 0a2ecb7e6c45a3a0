import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { SettingsFault } from '../../config/setting-value.ts'
import { EgressDenied, type EgressRule, NameNotResolved } from './egress-denied.ts'
import { createEgressGuard, type EgressGuardOptions, isOwnAddress } from './egress-guard.ts'
import { readIp } from './ip-bytes.ts'

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'mixed.example.com': ['93.184.216.34', '10.0.0.7'],
  'mixed6.example.com': ['2606:2800:220:1::1', '::ffff:192.168.1.1'],
  'inside.example.com': ['10.0.0.7'],
  'zone.example.com': ['fe80::1%eth0'],
  'empty.example.com': [],
  localhost: ['127.0.0.1', '::1'],
  receiver: ['10.1.2.3'],
}

type Overrides = Partial<EgressGuardOptions['settings']>

const guardWith = (settings: Overrides = {}, options: Partial<EgressGuardOptions> = {}) =>
  createEgressGuard({
    settings: { httpsOnly: false, ports: ['80', '443', '1024-65535'], allow: [], only: false, ...settings },
    resolve: async (name) => {
      const found = NAMES[name]
      if (found === undefined) throw new NameNotResolved()
      return found
    },
    isOwn: () => false,
    ...options,
  })

async function verdict(url: string, settings: Overrides = {}, options: Partial<EgressGuardOptions> = {}) {
  try {
    const { addresses } = await guardWith(settings, options).check(url)
    return addresses.join(' ')
  } catch (error) {
    if (error instanceof EgressDenied) return error.rule
    if (error instanceof NameNotResolved) return 'DNS'
    throw error
  }
}

const GOOD = '93.184.216.34 2606:2800:220:1::1'

describe('the egress guard', () => {
  it.each<readonly [string, string]>([
    ['https://hooks.example.com/periplus?x=1', GOOD],
    ['http://HOOKS.example.com:8080', GOOD],
    ['https://hooks.example.com./', GOOD],
    ['https://93.184.216.34/', '93.184.216.34'],
    ['https://[2606:2800:220:1::1]:8443/', '2606:2800:220:1::1'],
    ['hooks.example.com/x', 'url'],
    ['/x', 'url'],
    ['', 'url'],
    ['http://[::1%25eth0]/', 'url'],
    ['http://[fe80::1%eth0]/', 'url'],
    ['http://1.2.3.4.5/', 'url'],
    ['http://256.1.1.1/', 'url'],
    ['http://', 'url'],
    ['ftp://hooks.example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user@hooks.example.com/', 'userinfo'],
    ['https://:secret@hooks.example.com/', 'userinfo'],
    ['https://hooks.example.com/#part', 'userinfo'],
    ['https://hooks.example.com/#', 'userinfo'],
    ['http://hooks.example.com:22/', 'port'],
    ['http://hooks.example.com:1023/', 'port'],
    ['http://hooks.example.com:0/', 'port'],
    ['http://hooks.example.com:1024/', GOOD],
    ['http://hooks.example.com:65535/', GOOD],
    ['http://localhost/', 'host'],
    ['http://LOCALHOST./', 'host'],
    ['http://receiver/', 'host'],
    ['http://a.localhost/', 'host'],
    ['http://printer.local/', 'host'],
    ['http://metadata.google.internal/', 'host'],
    ['http://router.home.arpa/', 'host'],
    ['http://home.arpa/', 'host'],
    ['http://nowhere.example.com/', 'DNS'],
    ['http://empty.example.com/', 'DNS'],
    ['http://inside.example.com/', 'address'],
    ['http://mixed.example.com/', 'address'],
    ['http://mixed6.example.com/', 'address'],
    ['http://zone.example.com/', 'address'],
  ])('judges %s: %s', async (url, expected) => {
    expect(await verdict(url)).toBe(expected)
  })

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '127.0.0.1.',
    '１２７.０.０.１',
    '0',
    '0x0',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[::127.0.0.1]',
    '[::]',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:a9fe:a9fe]',
    '3232235521',
    '[fd00:ec2::254]',
  ])('refuses the address %s, however it is spelled', async (host) => {
    expect(await verdict(`http://${host}/`)).toBe('address')
  })

  it.each([['1572395042'], ['0x5db8d822'], ['0135.0270.0330.042']])('allows a public one as %s', async (host) => {
    expect(await verdict(`http://${host}/`)).toBe('93.184.216.34')
  })

  it('says which of the rules of syntax was broken, and nothing of addresses', () => {
    const message = (rule: EgressRule) => new EgressDenied(rule).message
    expect(message('port')).toBe('not allowed by the egress rules: its port is not allowed')
    expect(message('address')).toBe('not allowed by the egress rules')
  })

  it('counts refusals by rule', async () => {
    const denied: EgressRule[] = []
    const onDenied = (rule: EgressRule) => denied.push(rule)
    await verdict('http://localhost/', {}, { onDenied })
    await verdict('http://10.0.0.1/', {}, { onDenied })
    await verdict('http://nowhere.example.com/', {}, { onDenied })
    expect(denied).toEqual(['host', 'address'])
  })

  it('resolves a name once', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    let asked = 0
    const guard = guardWith({}, { resolve: async () => answers[asked++] ?? [] })
    expect((await guard.check('http://rebind.example.com/')).addresses).toEqual(['93.184.216.34'])
    await expect(guard.check('http://rebind.example.com/')).rejects.toThrow(EgressDenied)
    expect(asked).toBe(2)
  })

  it('refuses addresses of this machine', async () => {
    expect(await verdict('http://hooks.example.com/', {}, { isOwn: (address) => address.length === 16 })).toBe(
      'address',
    )
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) expect(isOwnAddress(readIp(address) ?? new Uint8Array())).toBe(true)
    expect(isOwnAddress(readIp('::ffff:127.0.0.1') ?? new Uint8Array())).toBe(true)
    expect(isOwnAddress(readIp('93.184.216.34') ?? new Uint8Array())).toBe(false)
  })
})

describe('exceptions of the egress guard', () => {
  const own = { isOwn: () => true }

  it.each<readonly [readonly string[], string, string]>([
    [['http://localhost:8080'], 'http://localhost:8080/x', '127.0.0.1 ::1'],
    [['http://localhost:8080'], 'http://localhost:8081/', 'host'],
    [['http://localhost:8080'], 'https://localhost:8080/', 'host'],
    [['localhost'], 'https://LOCALHOST.:22/', '127.0.0.1 ::1'],
    [['receiver'], 'http://receiver/', '10.1.2.3'],
    [['127.0.0.1'], 'http://127.0.0.1:99/', '127.0.0.1'],
    [['127.0.0.1'], 'http://0x7f.1/', '127.0.0.1'],
    [['0x7f.1:8080'], 'http://127.0.0.1:8080/', '127.0.0.1'],
    [['127.0.0.1'], 'http://127.0.0.2/', 'address'],
    [['[::1]:8080'], 'http://[0::1]:8080/', '::1'],
    [['*.example.com'], 'http://inside.example.com:22/', '10.0.0.7'],
    [['*.inside.example.com'], 'http://inside.example.com/', 'address'],
    [['*.example.com'], 'http://badexample.com/', 'DNS'],
    [['10.0.0.0/8'], 'http://10.200.0.1:22/', '10.200.0.1'],
    [['10.0.0.0/8'], 'http://inside.example.com:22/', '10.0.0.7'],
    [['10.0.0.0/8'], 'http://receiver/', '10.1.2.3'],
    [['10.0.0.0/8'], 'http://mixed.example.com:22/', 'port'],
    [['10.0.0.0/8'], 'http://[::ffff:10.1.1.1]/', '::ffff:a01:101'],
    [['10.0.0.0/8'], 'http://localhost/', 'host'],
    [['10.0.0.0/8'], 'http://nobody/', 'host'],
    [['fd00::/8'], 'http://[fd12::1]/', 'fd12::1'],
    [['fd00::/8'], 'http://10.0.0.1/', 'address'],
  ])('with %s, %s: %s', async (allow, url, expected) => {
    expect(await verdict(url, { allow: [...allow] }, own)).toBe(expected)
  })

  it('may be one of several addresses while the others are public', async () => {
    expect(await verdict('http://mixed.example.com/', { allow: ['10.0.0.0/8'] })).toBe('93.184.216.34 10.0.0.7')
  })

  it('lift httpsOnly, at registration too', async () => {
    const settings = { httpsOnly: true, allow: ['http://localhost:8080', '10.0.0.0/8'] }
    expect(await verdict('http://hooks.example.com/', settings)).toBe('scheme')
    expect(await verdict('https://hooks.example.com/', settings)).toBe(GOOD)
    expect(await verdict('http://localhost:8080/', settings)).toBe('127.0.0.1 ::1')
    expect(await verdict('http://10.0.0.1/', settings)).toBe('10.0.0.1')
    expect(guardWith(settings).read('http://localhost:8080/').host).toBe('localhost')
    expect(() => guardWith({ httpsOnly: true }).read('http://hooks.example.com/')).toThrow(EgressDenied)
    expect(() => guardWith(settings).read('http://11.0.0.1/')).toThrow(EgressDenied)
  })

  it('are all there is with egress.only', async () => {
    const settings = { only: true, allow: ['hooks.example.com', '10.0.0.0/8'] }
    expect(await verdict('http://hooks.example.com/', settings)).toBe(GOOD)
    expect(await verdict('http://inside.example.com/', settings)).toBe('10.0.0.7')
    expect(await verdict('http://mixed.example.com/', settings)).toBe('address')
    expect(await verdict('http://93.184.216.34/', settings)).toBe('address')
    expect(await verdict('http://hooks.example.com/', { only: true })).toBe('address')
  })

  it.each(['http://', 'a b', '*', 'http://x/path', 'ftp://x', 'x:99999', '10.0.0.0/33', 'user@x', '*.*'])(
    'cannot be %j',
    (entry) => {
      expect(() => guardWith({ allow: [entry] })).toThrow(SettingsFault)
    },
  )

  it('of ports are ranges that make sense', async () => {
    expect(await verdict('http://hooks.example.com:25/', { ports: ['25'] })).toBe(GOOD)
    expect(await verdict('http://hooks.example.com/', { ports: ['25'] })).toBe('port')
    expect(() => guardWith({ ports: ['9-8'] })).toThrow(SettingsFault)
    expect(() => guardWith({ ports: ['70000'] })).toThrow(SettingsFault)
  })
})
