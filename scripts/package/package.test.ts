import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENT } from '../../test/support/patience.ts'
import { isThorough } from '../../test/support/thorough.ts'
import { readDockerfile } from './dockerfile.ts'
import { startServer, stockNode, userEnvironment } from './installed-package.ts'
import { npmCommand } from './make-package.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..', '..')
const work = mkdtempSync(path.join(tmpdir(), 'periplus-package-'))
const installed = path.join(work, 'prefix', 'lib', 'node_modules', 'periplus')
const periplus = path.join(work, 'prefix', 'bin', 'periplus')
const recipe = readDockerfile(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))

/** Paths of the image on this machine. */
const onThisMachine = (text: string): string =>
  text
    .replaceAll('/build/out', path.join(work, 'out'))
    .replaceAll('/opt/periplus', path.join(work, 'prefix'))
    .replaceAll('/data', path.join(work, 'data'))
    .replaceAll('/tmp/cache', path.join(work, 'cache'))

// the commands of the image, in a folder with the files that the image copies; if time is short, in this checkout
beforeAll(async () => {
  chmodSync(work, 0o755)
  const cwd = isThorough ? await copyContext(path.join(work, 'build')) : root
  for (const line of recipe.run) await run('bash', ['-ec', onThisMachine(line)], { cwd })
})

/** Copies what `COPY . .` of the Dockerfile copies from a checkout without changes, and returns the folder. */
async function copyContext(folder: string): Promise<string> {
  const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root })
  for (const file of stdout.split('\0').filter(Boolean)) {
    if (!ignored.some((pattern) => path.matchesGlob(file, pattern) || path.matchesGlob(file, `${pattern}/**`))) {
      cpSync(path.join(root, file), path.join(folder, file))
    }
  }
  return folder
}

afterAll(() => rmSync(work, { recursive: true, force: true }))

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile(),
  )

test('the package is small and has no TypeScript, no development tools and no Node of its own', () => {
  const files = filesIn(installed)
  const bytes = files.reduce((sum, name) => sum + statSync(path.join(installed, name)).size, 0)
  expect(bytes).toBeLessThan(200e6)
  const own = files.filter((name) => !name.startsWith('node_modules'))
  expect(own.filter((name) => name.endsWith('.ts'))).toEqual([])
  expect(own).toEqual(expect.arrayContaining(['explorer/index.html', 'samples/earthquakes.geojson.gz']))
  const names = readdirSync(path.join(installed, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(names.sort()).toEqual(['@duckdb', '@img', '@napi-rs', 'detect-libc', 'semver', 'sharp'])
})

test('the licences of bundled packages are there', () => {
  const text = readFileSync(path.join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  expect(text).toMatch(/^fastify \d+\.\d+\.\d+ \(MIT\)$/m)
  expect(text).toMatch(/^maplibre-gl \d+\.\d+\.\d+ \(BSD-3-Clause\)$/m)
  expect(text).toContain('Permission is hereby granted, free of charge')
})

test('the bill of materials is valid CycloneDX and names what is bundled and installed', async () => {
  const text = readFileSync(path.join(installed, 'sbom.cdx.json'), 'utf8')
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(text)).toBeNull()
  const { components } = JSON.parse(text) as { readonly components: readonly { readonly name: string }[] }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'sharp', 'maplibre-gl', '@duckdb/node-bindings-linux-x64']))
  expect(names).not.toContain('vitest')
  expect(names).not.toContain('node')
})

/** The oldest that works, which cannot run TypeScript, and the one of the checkout. */
describe.each(['22.16.0', process.versions.node])('with Node %s', (version) => {
  const home = path.join(work, version)
  let env: NodeJS.ProcessEnv = {}

  beforeAll(async () => {
    mkdirSync(home)
    cpSync(path.join(root, 'examples', 'buoys.csv'), path.join(home, 'buoys.csv'))
    env = userEnvironment(await stockNode(root, version), home)
  })

  const command = async (...args: readonly string[]): Promise<string> =>
    (await run(periplus, args, { cwd: home, env })).stdout

  test('it says its version, completes commands and finds no fault with the machine', async () => {
    const { version: own } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
    expect(await command('--version')).toBe(`${own}\n`)
    expect(await command('completion', 'bash')).toContain('complete -o default -F _periplus periplus')
    const findings = await command('doctor', '--set', 'server.port=0')
    expect(findings).toContain(`Node ${version}`)
    expect(findings).toContain('All checks succeeded.')
  })

  test('it serves sample data, its page, loaded files and large writes, and stops', async () => {
    const server = await startServer(periplus, ['--demo', '--log-level', 'warn'], { cwd: home, env })
    const get = async (place: string): Promise<Response> => {
      const answer = await fetch(server.url + place)
      expect(answer.status, place).toBe(200)
      return answer
    }
    try {
      expect(server.output()).toContain('load       periplus load FILE')
      expect(await (await get('/explore/earthquakes/_count')).json()).toMatchObject({ totalnb: 1707 })
      expect(await (await get('/')).text()).toContain('./explorer/index-')
      await get('/docs')
      await get('/readyz')
      await command('load', 'buoys.csv', '--index', 'buoys', '--collection', 'buoys')
      const found = await (await get('/explore/buoys/_search?f=wave_height:gt:2&sort=-wave_height,id')).json()
      expect(found).toMatchObject({ hits: expect.arrayContaining([expect.anything()]) })
      // a large body is read on a thread, and segments are built on another
      expect(await writeMany(server.url)).toMatchObject({ errors: false })
      expect((await fetch(`${server.url}/index/many/_forcemerge`, { method: 'POST' })).status).toBe(200)
      expect(await (await get('/index/many/_count')).json()).toMatchObject({ count: MANY })
      // files and images need native packages, or files of their own
      for (const format of ['geoparquet', 'flatgeobuf', 'shapefile', 'csv']) {
        await (await get(`/explore/earthquakes/_search?format=${format}`)).arrayBuffer()
      }
      await (await get('/explore/earthquakes/_tile/0/0/0.png')).arrayBuffer()
      expect(childOf(server.process.pid)).toMatchObject({
        threads: '24',
        flags: expect.arrayContaining(['--max-semi-space-size=32']),
      })
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })
})

test('npx runs the package file without an installation', async () => {
  const home = path.join(work, 'npx')
  mkdirSync(home)
  const name = readdirSync(path.join(work, 'out')).find((file) => file.endsWith('.tgz')) ?? ''
  const [command, ...begin] = npmCommand()
  const cache = path.join(home, 'cache')
  const args = [
    ...begin,
    'exec',
    '--yes',
    '--cache',
    cache,
    '--package',
    path.join(work, 'out', name),
    '--',
    'periplus',
  ]
  const { stdout } = await run(command, [...args, '--version'], { cwd: home })
  expect(`periplus-${stdout.trim()}.tgz`).toBe(name)
  const server = await startServer(command, ['--log-level', 'warn'], { cwd: home }, args)
  try {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(server.output()).toContain('periplus load FILE')
    expect(server.output()).not.toContain('npx periplus load')
    const status = await (await fetch(`${server.url}/status-page`)).text()
    expect(status).toContain('<code>periplus load FILE</code>')
  } finally {
    await server.stop()
  }
  const isGone = (): Promise<boolean> =>
    fetch(server.url).then(
      () => false,
      () => true,
    )
  await expect.poll(isGone, PATIENT).toBe(true)
})

test('the image runs as a user who can write nothing but its data', async () => {
  expect(recipe.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  const [uid, gid] = recipe.user.split(':').map(Number)
  const isRoot = process.getuid?.() === 0
  const data = path.join(work, 'data')
  const cache = path.join(work, 'cache')
  mkdirSync(cache)
  if (isRoot && uid !== undefined && gid !== undefined) for (const folder of [data, cache]) chownSync(folder, uid, gid)
  const environment = Object.entries(recipe.environment).map(([name, value]) => [name, onThisMachine(value)])
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(environment), HOME: '/nonexistent' }
  env.PATH = `${path.dirname(process.execPath)}:${env.PATH}`
  const [command = '', ...args] = recipe.command
  expect([command, ...args]).toEqual(['periplus', 'serve'])
  const identity = isRoot ? { uid, gid } : {}
  const program = listing(installed)
  const server = await startServer(periplus, ['--log-level', 'warn'], { cwd: data, env, ...identity })
  try {
    const { port } = new URL(server.url)
    const [check = '', ...rest] = recipe.healthCheck
    const healthy = { env: { ...env, PERIPLUS_SERVER_PORT: port }, ...identity }
    await run(check, rest, healthy)
    await expect(run(check, rest, { ...healthy, env: { ...env, PERIPLUS_SERVER_PORT: '1' } })).rejects.toThrow()
    expect(readdirSync(data)).toContain('periplus.duckdb')
  } finally {
    expect(await server.stop()).toBe(0)
  }
  expect(listing(installed)).toEqual(program)
})

/** Files with their size and time of change. */
function listing(folder: string): readonly string[] {
  return filesIn(folder).map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name))
    return `${name} ${size} ${mtimeMs}`
  })
}

const MANY = 20_000

async function writeMany(url: string): Promise<unknown> {
  const properties = { id: { type: 'keyword' }, text: { type: 'text' }, where: { type: 'geo_point' } }
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/index/many`, { method: 'PUT', headers, body: JSON.stringify({ mappings: { properties } }) })
  const lines = Array.from({ length: MANY }, (_, i) => {
    const document = {
      id: String(i),
      text: `document number ${i}`,
      where: { lat: (i % 160) - 80, lon: (i % 350) - 175 },
    }
    return `{"index":{"_id":"${i}"}}\n${JSON.stringify(document)}\n`
  })
  const answer = await fetch(`${url}/index/many/_bulk`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join(''),
  })
  return answer.json()
}

/** Environment and flags of the process that the command started (Linux). */
function childOf(pid: number | undefined): { readonly threads: string | undefined; readonly flags: readonly string[] } {
  const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const environment = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0')
  return {
    threads: environment.find((one) => one.startsWith('UV_THREADPOOL_SIZE='))?.split('=')[1],
    flags: readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0'),
  }
}
