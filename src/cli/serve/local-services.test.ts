import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { everything } from '../../query/plan/predicate.ts'
import { closeLocalServices, openLocalServices } from './local-services.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-services-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true })
})

it('reports a damaged segment, which is built again', async () => {
  const flags = { 'data.directory': directory, 'log.level': 'silent' }
  const settings = loadSettings({ flags, cwd: directory })
  const notices: string[] = []
  const open = () => openLocalServices(settings, { onNotice: (text) => notices.push(text) })
  let services = await open()
  await services.engine.createIndex('things', { properties: { n: { type: 'integer' } } })
  const operations = Array.from({ length: 100 }, (_, n) => ({ kind: 'index', id: `d${n}`, source: { n } }) as const)
  await services.engine.write('things', operations)
  await services.engine.arrange('things')
  await closeLocalServices(services)
  expect(notices).toEqual([])

  damageFiles(path.join(directory, 'segments'))
  services = await open()
  expect(notices.join('\n')).toMatch(/Segment .* of index things is built again/)
  expect(await services.engine.count({ indices: ['things'], predicate: everything })).toBe(100)
  await closeLocalServices(services)
})

function damageFiles(folder: string): void {
  const names = readdirSync(folder)
  expect(names).not.toEqual([])
  for (const name of names) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64)
    writeFileSync(file, bytes)
  }
}
