import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { everything, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { closeLocalServices, openLocalServices } from './local-services.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-services-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true })
})

it('reports a damaged segment when it is read, and builds it again', async () => {
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
  const field: Field = { path: 'n', type: 'INTEGER', indexed: true, nested: false }
  const predicate: Predicate = { kind: 'range', field, lower: { value: 50n, inclusive: true } }
  expect(await services.engine.count({ indices: ['things'], predicate })).toBe(50)
  expect(await services.engine.document('things', 'd7')).toMatchObject({ source: { n: 7 } })
  await expect.poll(() => notices.join('\n')).toMatch(/Segment .* of index things is built again/)
  expect(await services.engine.count({ indices: ['things'], predicate: everything })).toBe(100)
  await closeLocalServices(services)
})

function damageFiles(folder: string): void {
  const names = readdirSync(folder)
  expect(names).not.toEqual([])
  for (const name of names) {
    const file = path.join(folder, name)
    const bytes = readFileSync(file)
    // The directory, at the end, stays as it is.
    bytes.fill(0xff, 128, bytes.length >> 1)
    writeFileSync(file, bytes)
  }
}
