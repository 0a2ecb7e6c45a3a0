import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  commandLine,
  isDisturbed,
  type MachineUse,
  machineUse,
  sampleMachine,
  thisMachine,
  versions,
  watchMachine,
} from './machine.ts'

test('the machine has a processor, cores and memory', () => {
  const { processor, cores, memoryMiB } = thisMachine()
  expect(processor).not.toBe('')
  expect(cores).toBeGreaterThan(0)
  expect(memoryMiB).toBeGreaterThan(100)
})

test('the command line can be pasted into a shell', () => {
  expect(commandLine([])).toBe('npm run bench')
  expect(commandLine(['--documents', '5000', '--only', "days|'a' b"])).toBe(
    "npm run bench -- --documents 5000 --only 'days|'\\''a'\\'' b'",
  )
})

test('versions come from the package file and the systems', () => {
  const packageText = JSON.stringify({ version: '0.1.0', dependencies: { '@duckdb/node-api': '1.5.5-r.5' } })
  expect(versions([{ name: 'OpenSearch', version: '3.5.0' }], packageText)).toEqual({
    Node: process.versions.node,
    Periplus: '0.1.0',
    DuckDB: '1.5.5',
    OpenSearch: '3.5.0',
  })
})

test('the versions of this project are known', () => {
  expect(versions()).toMatchObject({ Periplus: expect.stringMatching(/^\d/), DuckDB: expect.stringMatching(/^\d/) })
})

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Writes files like those of /proc. A process is `pid: [parent, user, system, waited user, waited system]`. */
function procWith(cpu: string, load: string, processes: Readonly<Record<number, readonly number[]>>): string {
  const proc = mkdtempSync(join(tmpdir(), 'periplus-proc-'))
  folders.push(proc)
  writeFileSync(join(proc, 'stat'), `cpu  ${cpu}\ncpu0 1 1 1 1 1 1 1 1 1 1\nintr 5\n`)
  writeFileSync(join(proc, 'loadavg'), load)
  for (const [pid, [parent, ...ticks]] of Object.entries(processes)) {
    mkdirSync(join(proc, pid))
    writeFileSync(join(proc, pid, 'stat'), `${pid} (a (b) c) S ${parent} 0 0 0 0 0 0 0 0 0 ${ticks.join(' ')} 20 0\n`)
  }
  return proc
}

function sampleOf(...args: Parameters<typeof procWith>) {
  const sample = sampleMachine({ roots: [50], proc: procWith(...args) })
  if (sample === undefined) throw new Error('no sample')
  return sample
}

test('a sample sums the processors and the family of a process', () => {
  const processes = { 50: [1, 10, 1, 5, 5], 20: [60, 100, 0, 0, 0], 60: [50, 1000, 0, 0, 0], 70: [1, 9999, 0, 0, 0] }
  expect(sampleOf('100 10 20 500 30 4 6 80 7 7', '1.50 0.9 0.3 1/200 999', processes)).toEqual({
    total: 750,
    idle: 530,
    stolen: 80,
    own: 1121,
    loadAverage: 1.5,
  })
})

test('stolen time is a share of the time that was wanted', () => {
  const before = sampleOf('0 0 0 0 0 0 0 0 0 0', '0.10 0 0 1/2 3', { 50: [1, 0, 0, 0, 0] })
  const after = sampleOf('40 10 10 100 0 0 0 40 0 0', '2.00 0 0 1/2 3', { 50: [1, 40, 0, 0, 0] })
  expect(machineUse(before, after, 9)).toEqual({ seconds: 9, stolen: 0.4, others: 0.1, loadAverages: [0.1, 2] })
})

test('a child that has ended still counts as own', () => {
  const before = sampleOf('0 0 0 0 0 0 0 0', '0 0 0', { 50: [1, 0, 0, 0, 0], 51: [50, 30, 0, 0, 0] })
  const after = sampleOf('50 0 0 50 0 0 0 0', '0 0 0', { 50: [1, 10, 0, 70, 0] })
  expect(machineUse(before, after, 1).others).toBe(0)
})

test('an idle machine is neither stolen nor used', () => {
  const sample = sampleOf('5 0 0 5 0 0 0 0', '0 0 0', {})
  expect(machineUse(sample, sample, 0)).toMatchObject({ stolen: 0, others: 0 })
})

test('without /proc nothing is known', async () => {
  expect(sampleMachine({ proc: '/no/such/folder' })).toBeUndefined()
  expect(await watchMachine(async () => 'done', { proc: '/no/such/folder' })).toEqual({
    result: 'done',
    use: undefined,
  })
})

test('more than a third stolen is a disturbance', () => {
  const use = (stolen: number): MachineUse => ({ seconds: 1, stolen, others: 0, loadAverages: [0, 0] })
  expect(isDisturbed(use(0.33))).toBe(false)
  expect(isDisturbed(use(0.34))).toBe(true)
  expect(isDisturbed(undefined)).toBe(false)
})
