import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tileOf } from '../../src/geo/grid/tile.ts'
import type { Answer, Draw, Question } from '../questions/question.ts'
import { startedDuckdb } from './duckdb.ts'
import { drawFixture, questionFixture } from './question.fixture.ts'
import type { System } from './system.ts'

const COUNT = 1000
const DAY_MS = 86_400_000
const documentOf = (n: number) => ({
  id: `doc-${n}`,
  owner: `owner-${n % 7}`,
  kind: `kind-${n % 2}`,
  seen: n * DAY_MS,
  speed: n / 10,
  title: n === 5 ? 'a "quoted", title' : 'reef',
  location: { lon: (n % 36) * 10 - 180, lat: 45 },
})
const indexed = (document: ReturnType<typeof documentOf>): string =>
  `{"index":{"_id":"${document.id}"}}\n${JSON.stringify(document)}\n`

describe('plain DuckDB in a process', () => {
  let system: System
  beforeAll(async () => {
    system = await startedDuckdb()
    await system.prepare('points')
    const lines = Array.from({ length: COUNT }, (_, n) => indexed(documentOf(n)))
    await system.write('points', Buffer.from(lines.slice(0, 500).join('')))
    await system.write('points', Buffer.from(lines.slice(500).join('')))
    await system.settle('points')
  })
  afterAll(() => system.stop())

  const ask = async (question: Partial<Question>, draw: Partial<Draw> = {}): Promise<Answer | undefined> =>
    (await system.ask({ ...questionFixture, ...question }, { ...drawFixture, ...draw }))?.answer
  const countOf = (where?: string, draw?: Partial<Draw>): Promise<Answer | undefined> =>
    ask({ sql: () => ({ select: 'count(*)', ...(where === undefined ? {} : { where: [where] }) }) }, draw)

  it('answers with and without a time filter', async () => {
    expect(await countOf()).toEqual({ kind: 'count', count: COUNT })
    expect(await countOf("kind = 'kind-1'")).toEqual({ kind: 'count', count: COUNT / 2 })
    const time = { from: 10 * DAY_MS, to: 19 * DAY_MS }
    expect(await countOf("kind = 'kind-1'", { time })).toEqual({ kind: 'count', count: 5 })
    expect(await countOf(`title = 'a "quoted", title'`)).toEqual({ kind: 'count', count: 1 })
  })

  it('finds documents by the tile of zoom 29', async () => {
    const { x, y } = tileOf(-170, 45, 29)
    expect(await countOf(`mx = ${x} AND my = ${y}`)).toEqual({ kind: 'count', count: 28 })
  })

  it('does not answer what has no statement', async () => {
    expect(await ask({})).toBeUndefined()
    expect(system.holds('shapes')).toBe(false)
    expect(await ask({ dataset: 'shapes', sql: () => ({ select: 'count(*)' }) })).toBeUndefined()
  })

  it('reports statements that fail', async () => {
    await expect(ask({ sql: () => ({ select: 'nothing' }) })).rejects.toThrow(/DuckDB.*nothing/s)
  })

  it('replaces, updates and deletes documents, and keeps them over a restart', async () => {
    const lines = [
      indexed({ ...documentOf(0), kind: 'replaced' }),
      `{"update":{"_id":"doc-1"}}\n{"doc":{"kind":"updated"}}\n`,
      `{"delete":{"_id":"doc-2"}}\n`,
      indexed({ ...documentOf(COUNT), kind: 'added' }),
    ]
    await system.write('points', Buffer.from(lines.join('')))
    await system.restart?.()
    expect(await countOf()).toEqual({ kind: 'count', count: COUNT })
    expect(await countOf("kind IN ('replaced', 'updated', 'added')")).toEqual({ kind: 'count', count: 3 })
    expect(await countOf("id = 'doc-1' AND owner = 'owner-1' AND kind = 'updated'")).toEqual({
      kind: 'count',
      count: 1,
    })
    expect(await countOf("id = 'doc-2'")).toEqual({ kind: 'count', count: 0 })
    expect(await system.diskBytes()).toBeGreaterThan(0)
  })
})
