import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterUrl } from '../../../../test/support/cluster-url.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { normaliseShape, shapeBounds, shapeOfAll } from '../../../geo/shape/shape.ts'
import type { Json } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'
import { readStoredValues } from '../../../query/value/stored-value.ts'
import { openDuckdbEngine } from '../../duckdb/open-engine.ts'
import type { Engine, WriteOperation, WriteResult } from '../../engine.ts'
import { openClusterEngine } from '../engine.ts'
import { type Difference, scalars } from './written-forms.fixture.ts'
import { places } from './written-places.fixture.ts'

const mapping: Mapping = {
  properties: {
    keyword: { type: 'keyword' },
    text: { type: 'text' },
    long: { type: 'long' },
    integer: { type: 'integer' },
    short: { type: 'short' },
    byte: { type: 'byte' },
    double: { type: 'double' },
    float: { type: 'float' },
    date: { type: 'date' },
    seconds: { type: 'date', format: 'epoch_second' },
    millis: { type: 'date', format: 'epoch_millis' },
    year: { type: 'date', format: 'yyyy' },
    day: { type: 'date', format: 'yyyyMMdd||epoch_millis' },
    named: { type: 'date', format: 'dd MMM yyyy||EEE, dd MMM yyyy HH:mm:ss Z' },
    boolean: { type: 'boolean' },
    ip: { type: 'ip' },
    object: { type: 'object', properties: { a: { type: 'keyword' } } },
    closed: { type: 'object', enabled: false },
    unindexed: { type: 'integer', index: false },
    nested: { type: 'nested', properties: { n: { type: 'long' } } },
    point: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
  },
}
const index = `t-written-forms-${randomBytes(4).toString('hex')}`
const directory = mkdtempSync(path.join(tmpdir(), 'periplus-written-'))
const schema = schemaOf([{ name: index, mapping }])

/** A document with one value, and the outcome of writing it. */
interface Written {
  readonly id: string
  readonly field: string
  readonly value: Json
  readonly difference: Difference | undefined
  readonly here: WriteResult
  readonly there: WriteResult
}

let embedded: Engine
let cluster: Engine
const written: Written[] = []

const operationOf = (id: string, field: string, value: string): WriteOperation => {
  const text = `{${JSON.stringify(field)}:${value}}`
  return { kind: 'index', id, source: JSON.parse(text), text }
}

beforeAll(async () => {
  embedded = await openDuckdbEngine({ directory, memoryMiB: 512, threads: 2, concurrency: 2 })
  cluster = openClusterEngine({ urls: [clusterUrl], scan: 100_000, replicas: 0 })
  const cases = [...scalars, ...places]
  const operations = cases.map(([field, value], i) => operationOf(`${i} ${field} ${value}`.slice(0, 100), field, value))
  const results: (readonly WriteResult[])[] = []
  for (const engine of [embedded, cluster]) {
    await engine.createIndex(index, mapping)
    results.push(await engine.write(index, operations))
    await engine.refresh(index)
  }
  for (const [i, [field, value, difference]] of cases.entries()) {
    const [here, there] = [results[0]?.[i], results[1]?.[i]]
    const id = operations[i]?.id ?? ''
    if (here === undefined || there === undefined) throw new Error(`no answer for ${id}`)
    written.push({ id, field, value: JSON.parse(value), difference, here, there })
  }
})
afterAll(async () => {
  await cluster.dropIndex(index)
  await cluster.close()
  await embedded.close()
  rmSync(directory, { recursive: true, force: true })
})

async function find(engine: Engine, predicate: Predicate): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const batch of engine.scan({ indices: [index], predicate })) ids.push(...batch.map(({ id }) => id))
  return ids.sort()
}

function fieldAt(at: string): Field {
  const field = schema.lookup(at)
  if (field === undefined) throw new Error(`no field ${at}`)
  return field
}

/** Returns predicates that match the value as read by the embedded engine. */
function probesOf({ field: at, value }: Written): readonly Predicate[] {
  const field = schema.lookup(at)
  if (field === undefined || field.type === 'OBJECT' || field.type === 'NESTED' || !field.indexed) return []
  if (field.type === 'GEO_POINT') {
    return pointValues(value).map(([x = 0, y = 0]) => around(field, 'within', x - 1e-6, y - 1e-6, x + 1e-6, y + 1e-6))
  }
  if (field.type === 'GEO_SHAPE') return shapeProbes(field, value)
  const values = readStoredValues(field, value)
  if (field.type !== 'TEXT') return values.map((one) => ({ kind: 'equals', field, values: [one] }))
  const tokens = values.map((text) => tokenize(String(text)))
  return tokens
    .filter((list) => list.length > 0)
    .map((list) => ({ kind: 'phrase', field, tokens: list, lastIsPrefix: false, slop: 0 }))
}

function shapeProbes(field: Field, value: Json): readonly Predicate[] {
  const shapes = shapeValues(value).flatMap((geometry) => normaliseShape(geometry) ?? [])
  if (shapes.length === 0) return []
  const { west, south, east, north } = shapeBounds(shapeOfAll(shapes))
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  return [
    around(field, 'intersects', x - 0.01, y - 0.01, x + 0.01, y + 0.01),
    around(field, 'intersects', west - 0.01, south - 0.01, west + 0.02, north + 0.01),
    around(field, 'within', west - 0.01, south - 0.01, east + 0.01, north + 0.01),
  ]
}

function around(
  field: Field,
  relation: 'within' | 'intersects',
  west: number,
  south: number,
  east: number,
  north: number,
): Predicate {
  const box = {
    west: Math.max(west, -180),
    south: Math.max(south, -90),
    east: Math.min(east, 180),
    north: Math.min(north, 90),
  }
  return { kind: 'geo', field, relation, area: { boxes: [box], polygons: [], lines: [], points: [] } }
}

describe('values written in awkward ways', () => {
  test('are refused by both engines or by none, for the same reason', () => {
    const alike = written.filter(({ difference }) => difference !== 'refused')
    expect(alike.map(({ id, there }) => [id, outcome(there)])).toEqual(alike.map(({ id, here }) => [id, outcome(here)]))
  })

  test('are found by the same questions', async () => {
    const differing = new Set(written.flatMap(({ id, difference }) => (difference === undefined ? [] : [id])))
    const common = (ids: readonly string[]) => ids.filter((id) => !differing.has(id))
    const fields = schema.fields.filter(({ type, indexed }) => type !== 'OBJECT' && type !== 'NESTED' && indexed)
    const probes = fields.map((field): Predicate => ({ kind: 'exists', field }))
    for (const form of written) if (form.here.ok && form.difference === undefined) probes.push(...probesOf(form))
    const unique = new Map(probes.map((probe) => [show(probe), probe]))
    expect(unique.size).toBeGreaterThan(150)
    const asked = [...unique]
    for (let first = 0; first < asked.length; first += AT_ONCE) {
      const compared = asked.slice(first, first + AT_ONCE).map(async ([name, probe]) => {
        const [here, there] = await Promise.all([find(embedded, probe), find(cluster, probe)])
        expect([name, common(there)]).toEqual([name, common(here)])
      })
      await Promise.all(compared)
    }
  })

  test('differ where it is said that they do', async () => {
    for (const form of written) {
      const { id, difference, here, there } = form
      if (difference === undefined) continue
      expect([id, here.ok]).toEqual([id, true])
      if (difference === 'refused') {
        expect([id, there.ok]).toEqual([id, false])
        continue
      }
      const exists = await find(cluster, { kind: 'exists', field: fieldAt(form.field) })
      expect([id, exists.includes(id)]).toEqual([id, difference !== 'unread'])
      const hits = await Promise.all(probesOf(form).map((probe) => find(cluster, probe)))
      expect([id, hits.some((ids) => ids.includes(id))]).toEqual([id, false])
    }
  })
})

const AT_ONCE = 16

const outcome = (result: WriteResult) => (result.ok ? 'stored' : `${result.type}: ${result.reason}`)

const show = (predicate: Predicate): string =>
  JSON.stringify(predicate, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
