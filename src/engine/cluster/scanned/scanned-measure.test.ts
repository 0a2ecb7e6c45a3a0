import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, roughly } from '../../../../test/properties/oracle/matchers.ts'
import { tryWithin } from '../../../../test/properties/random-index.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything, nothing } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { Engine } from '../../engine.ts'
import { measureScanned } from './scanned-measure.ts'
import { openReference, randomDocuments, supplyOf, view } from './scanned-plans.fixture.ts'

const fieldAt = (path: string): Field => {
  const field = view.schema.lookup(path)
  if (field === undefined) throw new Error(`no field ${path}`)
  return field
}

const metric: fc.Arbitrary<MetricPlan> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('avg', 'sum', 'min', 'max'),
    field: fc.constantFrom('n', 'big', 'x', 'half', 'seen', 'day', 'at').map(fieldAt),
  }),
  fc.record({
    kind: fc.constant('cardinality' as const),
    field: fc.constantFrom('id', 'kw', 'deep.kw', 'n', 'big', 'x', 'half', 'flag', 'ip', 'seen', 'at').map(fieldAt),
  }),
  fc.record({
    kind: fc.constantFrom('bounds', 'centroid'),
    field: fc.constantFrom('where', 'spot', 'area').map(fieldAt),
  }),
)

describe('figures of documents in memory', () => {
  const documents = randomDocuments(300)
  let engine: Engine
  let close: () => Promise<void>
  beforeAll(async () => {
    const opened = await openReference(documents)
    engine = opened.engine
    close = opened.close
  })
  afterAll(() => close?.())

  it('are those of the embedded engine', async () => {
    const metrics = fc.array(metric, { minLength: 1, maxLength: 4 })
    const law = async (asked: readonly MetricPlan[]): Promise<void> => {
      const plan = { indices: ['scanned'], predicate: everything, metrics: asked }
      const { total, values } = await engine.measure(plan)
      const given = await measureScanned(plan, supplyOf(documents))
      expect(differences({ total, values: roughly(values) }, given)).toEqual([])
    }
    await tryWithin(metrics, law, 100, 4_000)
  })

  it('of no documents are null, 0 where something is counted or added up', async () => {
    const kinds = ['avg', 'sum', 'min', 'max', 'cardinality'] as const
    const metrics = [
      ...kinds.map((kind) => ({ kind, field: fieldAt('n') })),
      { kind: 'bounds' as const, field: fieldAt('area') },
      { kind: 'centroid' as const, field: fieldAt('area') },
    ]
    const plan = { indices: ['scanned'], predicate: nothing, metrics }
    const expected = { total: 0, values: [null, 0, null, null, 0, null, null] }
    expect(await measureScanned(plan, supplyOf([]))).toEqual(expected)
    expect(await engine.measure(plan)).toEqual(expected)
  })

  it('of integers beyond 2^53 are exact', async () => {
    const text = '{"big":[9007199254740993,9007199254740995]}'
    const document = { index: 'scanned', id: '1', source: JSON.parse(text), text }
    const metrics = [{ kind: 'cardinality' as const, field: fieldAt('big') }]
    const plan = { indices: ['scanned'], predicate: everything, metrics }
    expect(await measureScanned(plan, supplyOf([document]))).toEqual({ total: 1, values: [2] })
  })

  it('end when the signal aborts', async () => {
    const endless = async function* () {
      for (;;) yield documents
    }
    const plan = { indices: ['scanned'], predicate: everything, metrics: [] }
    const measured = measureScanned(plan, { batches: endless() }, AbortSignal.timeout(50))
    await expect(measured).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
