import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATE, KEY } from '../../src/access/egress/certificates.fixture.ts'
import { NODE_CERTIFICATE, NODE_KEY } from '../../src/cluster-client/node-certificate.fixture.ts'
import { type CertificateFolder, makeCertificate } from '../http/secure-server.ts'
import { makeWorkplace, type RunningServer, type Workplace } from './periplus.ts'

// every command is a process that has to start first
let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

describe('help', () => {
  it.each([[], ['serve'], ['load'], ['index'], ['index', 'drop'], ['collections'], ['collections', 'put'], ['doctor']])(
    'periplus %s %s --help',
    async (...command) => {
      const { code, stdout } = await place.run([...command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain('Usage: periplus')
      if (command.length < 2) expect(stdout).toContain('Examples:')
    },
  )
})

it('whoever reads the output may have enough', async () => {
  expect(await place.runUnread(['serve', '--help'])).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('indices and collections of a running server', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await place.serve()
  })
  afterAll(() => server.stop())

  it('are listed, exported, deleted and imported', async () => {
    writeFileSync(place.path('a.ndjson'), '{"id":"1","time":"2024-01-01T00:00:00Z","location":"1,2"}\n')
    expect((await place.run(['index', 'list'])).stdout).toContain('There are no indices')
    expect((await place.run(['load', 'a.ndjson', '--index', 'a'])).code).toBe(0)
    const paths = [
      '--id-path',
      'id',
      '--geometry-path',
      'location',
      '--centroid-path',
      'location',
      '--timestamp-path',
      'time',
    ]
    expect((await place.run(['collections', 'put', 'first', '--index', 'a', ...paths])).code).toBe(0)
    expect((await place.run(['collections', 'export', 'all.json'])).stdout).toContain(
      '1 collection written to all.json',
    )
    const exported = JSON.parse(readFileSync(place.path('all.json'), 'utf8'))
    expect(exported[0].params.index_name).toBe('a')
    expect((await place.run(['collections', 'delete', 'first'])).code).toBe(0)
    expect(await place.run(['collections', 'delete', 'first'])).toMatchObject({
      code: 1,
      stderr: 'Collection first does not exist.\n',
    })
    expect((await place.run(['collections', 'import', 'all.json'])).stdout).toContain('1 collection imported: first')
    expect(JSON.parse((await place.run(['collections', 'export'])).stdout)).toEqual(exported)
    expect((await place.run(['collections', 'put', 'bad', '--index', 'nowhere', ...paths])).stderr).toBe(
      'Index nowhere does not exist.\n',
    )
    expect((await place.run(['collections', 'put', 'later', '--index', 'nowhere', ...paths, '--no-check'])).code).toBe(
      0,
    )
  })

  it('are not dropped without a word', async () => {
    expect(await place.run(['index', 'drop', 'a'])).toMatchObject({ code: 2 })
    expect((await place.run(['index', 'drop', 'a', '--yes'])).stdout).toBe('Index a dropped.\n')
    expect((await place.run(['index', 'drop', 'a', '--yes'])).stderr).toBe('Index a does not exist.\n')
  })
})

describe('a server with a certificate', () => {
  let server: RunningServer
  let certificate: CertificateFolder
  beforeAll(async () => {
    certificate = makeCertificate()
    const flags = Object.entries(certificate.flags).flatMap(([key, value]) => [`--${key}`, value])
    server = await place.serve([...flags, '--tls.checkMs', '50'])
  })
  afterAll(async () => {
    await server.stop()
    certificate.remove()
  })

  it('is found by its data directory, also after its certificate has changed', async () => {
    expect(server.url).toMatch(/^https:/)
    writeFileSync(place.path('s.ndjson'), '{"id":"1","time":"2024-01-01T00:00:00Z","location":"1,2"}\n')
    expect(await place.run(['load', 's.ndjson', '--index', 's'])).toMatchObject({ code: 0 })
    const file = path.join(place.data, 'server.json')
    const before = readFileSync(file, 'utf8')
    certificate.write(CERTIFICATE, KEY)
    await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before)
    expect((await place.run(['index', 'list'])).stdout).toMatch(/\bs\b/)
    certificate.write(NODE_CERTIFICATE, NODE_KEY)
    await expect.poll(() => readFileSync(file, 'utf8')).toBe(before)
  })

  it('is accepted by its URL if its authority is stated', async () => {
    const elsewhere = ['--url', server.url, '--data', place.path('none')]
    const refused = await place.run(['index', 'list', ...elsewhere])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('state the CA of the server with --ca') })
    const ca = certificate.flags['tls.cert'] ?? ''
    expect((await place.run(['index', 'list', ...elsewhere, '--ca', ca])).stdout).toMatch(/\bs\b/)
    expect((await place.run(['index', 'list', ...elsewhere, '--ca', 'none.pem'])).stderr).toContain('client.caFile')
  })
})

describe('serve', () => {
  it('loads the sample data once, and lets go of everything when it is stopped', async () => {
    const own = makeWorkplace()
    try {
      const first = await own.serve(['--demo'])
      expect(first.output()).toContain('Loaded the sample collection earthquakes')
      const found = await (await fetch(`${first.url}/explore/earthquakes/_count?f=mag:gte:5`)).json()
      expect(found).toMatchObject({ totalnb: expect.any(Number) })
      const refused = await own.run(['serve', '--port', '0'])
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`already in use by a server at ${first.url}`),
      })
      expect((await own.run(['doctor', '--set', 'server.port=0'])).stdout).toContain(
        `a server is running at ${first.url}`,
      )
      expect((await own.run(['index', 'drop', 'earthquakes', '--yes'])).code).toBe(0)
      expect(await first.stop()).toBe(0)
      expect(existsSync(`${own.data}/server.json`)).toBe(false)
      const second = await own.serve(['--demo'])
      expect(second.output()).not.toContain('Loaded the sample')
      expect(await second.stop('SIGINT')).toBe(0)
    } finally {
      own.remove()
    }
  })

  it('says what to do when it cannot start', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' ? address?.port : 0
    expect((await place.run(['serve', '--port', String(port)])).stderr).toContain('choose another port with --port')
    await new Promise((resolve) => taken.close(resolve))
    expect(await place.run(['serve', '--port', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('server.port'),
    })
    writeFileSync(place.path('file'), '')
    expect((await place.run(['serve', '--port', '0', '--data', place.path('file')])).stderr).toContain(
      'is not a directory',
    )
  })

  it('says what an incomplete copy of a data directory lacks', async () => {
    const data = place.path('copy')
    writeFileSync(place.path('b.ndjson'), '{"id":"1"}\n')
    expect((await place.run(['load', 'b.ndjson', '--index', 'b', '--data', data])).code).toBe(0)
    rmSync(path.join(data, 'sources'), { recursive: true })
    const { code, stderr } = await place.run(['serve', '--port', '0', '--data', data])
    expect(stderr).toMatch(/^The file .* is missing: a data directory must be copied completely.*\n$/)
    expect(code).toBe(1)
  })

  it('prints its settings as a file', async () => {
    const { stdout } = await place.run([
      'serve',
      '--print-config',
      '--port',
      '8080',
      '--set',
      'limits.size=5',
      '--limits.vertices',
      '7',
    ])
    expect(stdout).toMatch(/port: 8080/)
    expect(stdout).toMatch(/size: 5\n/)
    expect(stdout).toMatch(/vertices: 7\n/)
  })
})

describe('doctor', () => {
  it('finds nothing wrong here', async () => {
    const { code, stdout } = await place.run(['doctor', '--set', 'server.port=0'])
    expect(stdout).toContain('All checks succeeded.')
    expect(code).toBe(0)
  })

  it('says what is wrong', async () => {
    writeFileSync(place.path('file'), '')
    const { code, stdout } = await place.run(['doctor', '--set', 'server.port=0', '--data', place.path('file')])
    expect(stdout).toContain('FAIL')
    expect(code).toBe(1)
  })
})
