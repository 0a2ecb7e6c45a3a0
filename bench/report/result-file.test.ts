import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PARTS } from './result.ts'
import { openRun, readResult } from './result-file.ts'
import { calm, header, sample, tables } from './sample-result.ts'

let results: string

beforeEach(async () => {
  results = await mkdtemp(join(tmpdir(), 'periplus-results-'))
})

afterEach(() => rm(results, { recursive: true }))

test('a resumed run has the finished parts and the header of the first start', async () => {
  const run = await openRun({ header, results })
  expect(run.name).toBe('2025-01-02T03-04-05.000Z')
  expect(run.finished('rest')).toBe(false)
  await run.save('rest', { tables, machineUse: calm })
  expect(run.finished('rest')).toBe(true)

  const later = { ...header, date: '2025-02-02T00:00:00.000Z', commandLine: 'npm run bench -- --resume' }
  for (const resume of [run.name, `${results}/${run.name}/`]) {
    const again = await openRun({ header: later, resume, results })
    expect(again.header).toEqual(header)
    expect([again.finished('rest'), again.finished('load')]).toEqual([true, false])
    expect(again.whole()).toMatchObject({ header, loads: [], tables })
  }
})

test('every part has a file of its own', async () => {
  const run = await openRun({ header, results })
  for (const part of PARTS) await run.save(part, { loads: sample.loads })
  expect(await readdir(run.folder)).toHaveLength(PARTS.length + 1)
  expect((await openRun({ header, resume: run.name, results })).whole().loads).toHaveLength(PARTS.length * 2)
})

test('a run is not resumed with other options', async () => {
  const settings = { only: 'days' }
  const { name } = await openRun({ header: { ...header, settings }, results })
  await expect(
    openRun({ header: { ...header, settings, documents: 5, seed: 2 }, resume: name, results }),
  ).rejects.toThrow(`run '${name}' cannot be resumed: it has documents 1000000 instead of 5, seed 1 instead of 2`)
  await expect(openRun({ header, resume: name, results })).rejects.toThrow('it has only days instead of unset')
  await expect(openRun({ header, resume: 'other', results })).rejects.toThrow("there is no run 'other'")
})

test('a part that was not written completely is not finished', async () => {
  const run = await openRun({ header, results })
  await writeFile(join(run.folder, 'rest.json.part'), '{"tables": [')
  expect((await openRun({ header, resume: run.name, results })).finished('rest')).toBe(false)
})

test('a whole result is read from its file or from the folder of the run', async () => {
  const run = await openRun({ header, results })
  await run.save('rest', { tables })
  const file = await run.saveWhole()
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(run.whole())
  expect(await readResult(file)).toEqual(run.whole())
  expect(await readResult(run.folder)).toEqual(run.whole())
  expect(await readResult(await run.saveWhole(join(results, 'deep', 'out.json')))).toEqual(run.whole())
})

test('another file is not read as a result', async () => {
  await writeFile(join(results, 'old.json'), '{"questions":[]}')
  await expect(readResult(join(results, 'old.json'))).rejects.toThrow('is not a result of this benchmark')
})
