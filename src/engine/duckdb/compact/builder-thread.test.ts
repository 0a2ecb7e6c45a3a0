import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../../model/mapping.ts'
import { layoutOf } from '../index/table-layout.ts'
import { openSegmentFile } from '../segment/file/segment-file.ts'
import { writeSegmentFile } from '../segment/file/segment-file-writer.ts'
import { LiveRows } from '../segment/live-rows.ts'
import { buildSegment, tailPart } from '../segment/parts.fixture.ts'
import { segmentOf } from '../segment/segment-data.ts'
import { BuilderThread } from './builder-thread.ts'
import type { FixtureJobs } from './builder-worker.fixture.ts'

const script = new URL('./builder-worker.fixture.ts', import.meta.url)

describe('a builder thread', () => {
  let thread: BuilderThread<FixtureJobs>

  beforeEach(() => {
    thread = new BuilderThread(script)
  })

  afterEach(() => thread.close())

  it('runs jobs in order', async () => {
    const done: number[] = []
    const jobs = [Float64Array.of(1, 2, 3), Float64Array.of(4), new Float64Array()].map(async (numbers) => {
      done.push(await thread.run('sum', numbers))
    })
    await Promise.all(jobs)
    expect(done).toEqual([6, 4, 0])
  })

  it('does not copy shared memory', async () => {
    const numbers = new Float64Array(new SharedArrayBuffer(16))
    const filled = await thread.run('fill', numbers)
    expect(numbers).toEqual(Float64Array.of(7, 7))
    numbers[0] = 1
    expect(filled[0]).toBe(1)
  })

  it('passes errors on, and goes on', async () => {
    const failures = await Promise.allSettled([
      thread.run('fail', { message: 'out of range' }),
      thread.run('failOddly', undefined),
      thread.run('answerOddly', undefined),
      thread.run('nothing' as 'sum', new Float64Array()),
      thread.run('sum', (() => 0) as unknown as Float64Array),
    ])
    const errors = failures.map((result) => (result.status === 'rejected' ? result.reason : undefined))
    expect(errors.every((error) => error instanceof Error)).toBe(true)
    expect(errors[0]).toMatchObject({ name: 'RangeError', message: 'out of range' })
    expect(errors[1]).toMatchObject({ message: 'only a text' })
    expect(errors[2]).toMatchObject({ name: 'DataCloneError' })
    expect(errors[3]).toMatchObject({ message: 'there is no job nothing' })
    expect(errors[4]).toMatchObject({ name: 'DataCloneError' })
    expect(await thread.run('sum', Float64Array.of(1, 1))).toBe(2)
  })

  it('is restarted after a crash, for the jobs that wait', async () => {
    const results = await Promise.allSettled([
      thread.run('exit', 3),
      thread.run('sum', Float64Array.of(1)),
      thread.run('crash', 'crashed'),
      thread.run('sum', Float64Array.of(2)),
    ])
    expect(results[0]).toMatchObject({ reason: { message: 'the builder thread ended with code 3' } })
    expect(results[1]).toMatchObject({ value: 1 })
    expect(results[2]).toMatchObject({ reason: { message: 'crashed' } })
    expect(results[3]).toMatchObject({ value: 2 })
    expect(await thread.run('sum', Float64Array.of(3))).toBe(3)
  })

  it('rejects jobs that are not done when it is closed', async () => {
    const jobs = Promise.allSettled([thread.run('wait', undefined), thread.run('sum', Float64Array.of(1))])
    await thread.close()
    for (const result of await jobs)
      expect(result).toMatchObject({ reason: { message: 'the builder thread is closed' } })
    await expect(thread.run('sum', Float64Array.of(1))).rejects.toThrow('is closed')
    await thread.close()
  })
})

it('keeps its worker for the next job, but ends it when there is none', async () => {
  const busy = new BuilderThread<FixtureJobs>(script)
  const first = await busy.run('whoAmI', undefined)
  expect(await busy.run('whoAmI', undefined)).toBe(first)
  await busy.close()
  const idle = new BuilderThread<FixtureJobs>(script, 0)
  const second = await idle.run('whoAmI', undefined)
  await setTimeout(20)
  expect(await idle.run('whoAmI', undefined)).not.toBe(second)
  await idle.close()
})

it('builds and stores segments', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-builder-'))
  const thread = new BuilderThread()
  try {
    const mapping: Mapping = { properties: { k: { type: 'keyword' }, n: { type: 'integer' } } }
    const layout = layoutOf(mapping)
    const range = { firstSeq: 0, endSeq: 3 }
    const source = buildSegment([tailPart(mapping, [{ k: 'a' }, { k: 'b', n: 5 }, { k: 'a' }])], layout, range)
    await writeSegmentFile(directory, 'source', source)
    const input = { parts: [{ source: { file: 'source' }, dead: Uint32Array.of(2) }], layout, ...range, directory }
    expect(await thread.run('build', { ...input, file: 'x' })).toEqual({ kind: 'built' })
    const file = await openSegmentFile(join(directory, 'x'))
    expect(await file.read([])).toEqual(buildSegment([segmentOf(source, LiveRows.all.without([2]))], layout, range))
    await file.close()
    const bytes = readFileSync(join(directory, 'source'))
    bytes[16] = (bytes[16] ?? 0) ^ 1
    writeFileSync(join(directory, 'source'), bytes)
    const outcome = await thread.run('build', { ...input, file: 'y' })
    expect(outcome).toEqual({ kind: 'damaged', path: join(directory, 'source'), damage: 'checksum' })
    await expect(
      thread.run('build', { ...input, parts: [], directory: join(directory, 'none'), file: 'y' }),
    ).rejects.toThrow('ENOENT')
  } finally {
    await thread.close()
    rmSync(directory, { recursive: true })
  }
})
