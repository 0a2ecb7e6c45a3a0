import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingList } from '../src/config/setting-list.ts'
import { exists } from './distribution.ts'
import { ensureHadolint } from './tools/hadolint.ts'

const run = promisify(execFile)
const root = path.dirname(import.meta.dirname)
const textOf = (name: string): string => readFileSync(path.join(root, name), 'utf8')

/** Environment variables of settings, as docs/settings.md lists them. */
const known = new Set(settingList.map(({ key }) => `PERIPLUS_${key.replaceAll('.', '_').toUpperCase()}`))
const ownVariables = (text: string): readonly string[] => text.match(/PERIPLUS_[A-Z_]+/g) ?? []

interface Service {
  readonly profiles: readonly string[]
  readonly image: string
  readonly read_only?: boolean
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly healthcheck?: object
  readonly depends_on?: Readonly<Record<string, object>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

test('hadolint has nothing to say about the Dockerfile', async () => {
  const { stdout } = await run(await ensureHadolint(), ['--no-color', path.join(root, 'Dockerfile')])
  expect(stdout).toBe('')
})

test('variables in the files of the container and the unit are settings', () => {
  const used = ['Dockerfile', 'compose.yaml', 'deploy/periplus.service'].flatMap((name) => ownVariables(textOf(name)))
  expect(used.length).toBeGreaterThan(8)
  expect(used.filter((name) => !known.has(name))).toEqual([])
})

test('compose has a profile for the server alone and one with a cluster', () => {
  const { services, volumes } = parse(textOf('compose.yaml'), { merge: true }) as Compose
  const inProfile = (profile: string): readonly string[] =>
    Object.keys(services).filter((name) => services[name]?.profiles.includes(profile))
  expect(inProfile('server')).toEqual(['periplus'])
  expect(inProfile('cluster')).toEqual(['periplus-on-cluster', 'opensearch', 'kafka'])
  for (const [name, service] of Object.entries(services)) {
    for (const volume of service.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
    for (const other of Object.keys(service.depends_on ?? {})) expect(services[other]?.healthcheck).toBeDefined()
    if (!name.startsWith('periplus')) continue
    expect(service.read_only).toBe(true)
    // not reachable from other machines without authentication
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  }
})

test('systemd rates the unit as well protected', async (context) => {
  if (process.env.CI === undefined && !(await exists('/usr/bin/systemd-analyze')))
    return context.skip('systemd-analyze is not installed')
  const unit = path.join(root, 'deploy', 'periplus.service')
  // it fails if the exposure, in tenths, is above the threshold
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit])
  expect(stdout).toContain('Overall exposure level for periplus.service')
})
