import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { Problem } from '../../errors.ts'
import { callbackCheck } from './callback-url.ts'

function refusalOf(callback: string, flags: Readonly<Record<string, string>> = {}): string | undefined {
  try {
    callbackCheck(loadSettings({ flags }).egress)(callback)
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.code === 'CALLBACK_NOT_ALLOWED') return error.message
    throw error
  }
}

describe('callbacks', () => {
  it.each([
    'https://hooks.example.com/periplus?a=b',
    'http://hooks.example.com:8080',
    // Addresses are checked when the callback is called.
    'http://localhost/',
    'http://127.0.0.1:22/',
    'http://[::1]/',
    'http://not-registered-yet.example/',
  ])('%s is taken', (callback) => {
    expect(refusalOf(callback)).toBeUndefined()
  })

  it.each([
    ['callback', 'absolute URL'],
    ['/callback', 'absolute URL'],
    ['//example.org/x', 'absolute URL'],
    ['http://', 'absolute URL'],
    ['http://exa mple.org', 'absolute URL'],
    ['ftp://example.org/x', 'http or https'],
    ['javascript:alert(1)', 'http or https'],
    ['file:///etc/passwd', 'http or https'],
    ['https://user:pass@example.org/x', 'password'],
    ['https://user@example.org/x', 'user name'],
    ['https://example.org/#a', 'fragment'],
    ['https://example.org/#', 'fragment'],
  ])('%s is refused: %s', (callback, rule) => {
    const message = refusalOf(callback)
    expect(message).toContain(rule)
    expect(message).toContain('subscription.callback')
    expect(message).not.toContain('pass@')
  })

  it('may have to be https, exceptions apart', () => {
    const httpsOnly = { 'egress.httpsOnly': 'true' }
    expect(refusalOf('http://a.example/', httpsOnly)).toContain('egress.httpsOnly')
    expect(refusalOf('https://a.example/', httpsOnly)).toBeUndefined()
    const allow = { ...httpsOnly, 'egress.allow': 'http://localhost:8080' }
    expect(refusalOf('http://localhost:8080/x', allow)).toBeUndefined()
    expect(refusalOf('http://localhost:8081/x', allow)).toContain('egress.httpsOnly')
  })
})
