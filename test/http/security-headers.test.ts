import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/http-client.ts'
import { type Running, sendRaw, startServer } from './server-fixture.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'cross-origin',
  'permissions-policy': expect.stringContaining('geolocation=()'),
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const onPages = {
  ...everywhere,
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': expect.stringMatching(
    /default-src '(?:self|none)'; .*script-src .*frame-ancestors 'none'/,
  ),
}

describe('answers tell browsers what not to do with them', () => {
  let server: Running
  beforeAll(async () => {
    server = await startServer({
      routes: (app) => {
        app.get('/broken', async () => {
          throw new Error('broken')
        })
      },
    })
  })
  afterAll(() => server.stop())

  test.each([
    ['an answer', 'GET', '/openapi.json', 200, everywhere],
    ['a check of health', 'GET', '/livez', 200, everywhere],
    ['figures', 'GET', '/metrics', 200, everywhere],
    ['a path that is not there', 'GET', '/nothing', 404, everywhere],
    ['a path nobody can read', 'GET', '/%zz', 400, everywhere],
    ['a method that is not there', 'DELETE', '/livez', 405, everywhere],
    ['OPTIONS', 'OPTIONS', '/livez', 204, everywhere],
    ['a fault', 'GET', '/broken', 500, everywhere],
    ['the explorer', 'GET', '/', 200, onPages],
    ['the status page', 'GET', '/status-page', 200, onPages],
    ['the page of the API', 'GET', '/docs', 200, onPages],
    ['a file of the explorer that is not there', 'GET', '/explorer/x.js', 404, everywhere],
  ])('%s', async (_name, method, path, status, headers) => {
    const answer = await call(server.base, { method, path })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(headers)
    expect(answer.headers['strict-transport-security']).toBeUndefined()
  })

  test('a request for another host', async () => {
    const answer = await call(server.base, { path: '/livez', headers: { host: 'evil.example' } })
    expect([answer.status, answer.headers]).toMatchObject([421, everywhere])
  })

  test.each([
    ['what is no HTTP', 'nonsense\r\n\r\n'],
    ['CONNECT', 'CONNECT example.org:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s', async (_name, request) => {
    const answer = await sendRaw(server.port, request)
    expect(answer).toContain('\r\nx-content-type-options: nosniff\r\n')
    expect(answer).toContain("\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\n")
  })

  test('the files of the explorer may be workers', async () => {
    const page = (await call(server.base, { path: '/' })).text
    const [, script] = /src="\.?\/?(explorer\/[^"]+\.m?js)"/.exec(page) ?? []
    const { status, headers } = await call(server.base, { path: `/${script}` })
    expect([status, headers]).toMatchObject([
      200,
      {
        ...everywhere,
        'content-security-policy': expect.stringMatching(/^script-src 'self'; .*frame-ancestors 'none'$/),
      },
    ])
  })
})

test('a server whose public URL is https is not called without TLS again', async () => {
  const server = await startServer({ flags: { 'server.publicUrl': 'https://maps.example' } })
  try {
    for (const path of ['/livez', '/nothing', '/']) {
      const { headers } = await call(server.base, { path })
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
  } finally {
    await server.stop()
  }
})
