import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AUTHORITY, CERTIFICATE, KEY } from '../../src/access/egress/certificates.fixture.ts'
import { NODE_CERTIFICATE, NODE_KEY } from '../../src/cluster-client/node-certificate.fixture.ts'
import { type CertificateFolder, makeCertificate } from './secure-server.ts'
import { type Running, startServer } from './server-fixture.ts'

let folder: CertificateFolder
const running: Running[] = []
beforeEach(() => {
  folder = makeCertificate()
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  folder.remove()
})

async function start(flags: Readonly<Record<string, string>> = {}): Promise<Running> {
  const server = await startServer({ flags: { ...folder.flags, 'tls.checkMs': '10', ...flags } })
  running.push(server)
  return server
}

/** Name of the certificate that new connections get. */
async function servedName({ port }: Running): Promise<unknown> {
  const socket = connect({ port, host: '127.0.0.1', ca: [NODE_CERTIFICATE, AUTHORITY], rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { CN } = socket.getPeerCertificate().subject
  socket.destroy()
  return CN
}

const encrypted = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'sesame' },
}).privateKey

describe('at the start', () => {
  test.each<[string, string, string, Record<string, string>, RegExp]>([
    [
      'a missing file',
      NODE_CERTIFICATE,
      NODE_KEY,
      { 'tls.cert': '/nowhere.pem' },
      /^tls\.cert: \/nowhere\.pem does not exist$/,
    ],
    ['a folder', NODE_CERTIFICATE, NODE_KEY, { 'tls.key': '/' }, /^tls\.key: \/ is a directory$/],
    ['no certificate', 'hello', NODE_KEY, {}, /^tls\.cert: \S+cert\.pem is not in PEM format$/],
    ['no key', NODE_CERTIFICATE, 'hello', {}, /^tls\.key: \S+key\.pem is not in PEM format$/],
    ['a key for a certificate', NODE_KEY, NODE_KEY, {}, /^tls\.cert: \S+cert\.pem is not in PEM format$/],
    [
      'another key',
      NODE_CERTIFICATE,
      KEY,
      {},
      /^tls\.key: \S+key\.pem is not the key of the certificate \S+cert\.pem$/,
    ],
    ['an encrypted key', NODE_CERTIFICATE, encrypted, {}, /^tls\.key: \S+key\.pem is encrypted: set tls\.passphrase$/],
    [
      'another passphrase',
      NODE_CERTIFICATE,
      encrypted,
      { 'tls.passphrase': 'x' },
      /^tls\.key: \S+key\.pem cannot be decrypted with tls\.passphrase$/,
    ],
  ])('%s is named', async (_name, cert, key, flags, message) => {
    folder.write(cert, key)
    await expect(start(flags)).rejects.toThrow(message)
  })
})

describe('changed files', () => {
  test('are used for new connections', async () => {
    const server = await start()
    expect(await servedName(server)).toBe('Periplus test node')
    folder.write(CERTIFICATE, KEY)
    await expect.poll(() => servedName(server)).toBe('hooks.example.com')
  })

  test('that cannot be used are logged once, and the old certificate stays', async () => {
    const server = await start()
    const faults = (): unknown[] => server.lines.filter(({ level }) => Number(level) >= 50)
    const cert = folder.flags['tls.cert'] ?? ''
    writeFileSync(cert, 'hello')
    await expect.poll(faults).toHaveLength(1)
    expect(JSON.stringify(faults())).toContain(`tls.cert: ${cert} is not in PEM format`)
    expect(await servedName(server)).toBe('Periplus test node')
    writeFileSync(cert, readFileSync(cert, 'utf8').replace('hello', CERTIFICATE))
    await expect.poll(faults).toHaveLength(2)
    expect(JSON.stringify(faults())).toContain('is not the key of the certificate')
    expect(await servedName(server)).toBe('Periplus test node')
    folder.write(CERTIFICATE, KEY)
    await expect.poll(() => servedName(server)).toBe('hooks.example.com')
    expect(faults()).toHaveLength(2)
  })
})

test('the time at which the certificate expires is a metric', async () => {
  const { app } = await start()
  const { body } = await app.inject('/metrics')
  expect(body).toMatch(
    /^periplus_tls_certificate_expires_seconds 4\.\d+e\+?9|^periplus_tls_certificate_expires_seconds 4\d{9}/m,
  )
})
