import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import type { NewTagRecord } from '../model/tag-record.ts'
import { limits, NOW } from '../query/request/sample-collection.fixture.ts'
import { checkTagRequest } from './check-tag-request.ts'
import { accessOf, openSample } from './open-sample.fixture.ts'
import { resolveTagSelection } from './tag-selection.ts'

const field = fc.constantFrom(
  'params.job',
  'params.tags',
  'params.age',
  'fullname',
  'geo_params.centroid',
  'nope',
  '$timestamp',
  'params',
  '',
  'toString',
  '__proto__',
)
const operator = fc.constantFrom('eq', 'NE', 'like', 'gte', 'range', 'within', 'intersects', 'is', '')
const literal = fc.constantFrom(
  'Actor',
  '1',
  '[0<9]',
  '[a',
  '1,2,3,4',
  'POLYGON((0 0,1 0,1 1,0 0))',
  '.*(',
  'now||-1d',
  '',
  ',,',
  '\ud800',
)

/** Mostly the given values, sometimes any JSON value. */
const or = <T>(meant: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 60, arbitrary: meant }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })

const some = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(members, { requiredKeys: [] })

const good = fc.constantFrom(
  {},
  { f: [[{ field: 'params.job', op: 'EQ', value: 'Actor,Coach' }]], q: [['params.job:Actor']] },
  { f: [[{ field: 'params.tags', op: 'ne', value: 'a' }], []] },
)
const bad = some({
  f: or(fc.array(fc.array(some({ field, op: operator, value: or(literal) }), { maxLength: 2 }), { maxLength: 2 })),
  q: or(fc.array(fc.array(literal, { maxLength: 2 }), { maxLength: 1 })),
  dateformat: or(fc.constantFrom('yyyy', 'QQQ', '')),
  righthand: or(fc.boolean()),
})
const filter = fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: bad })
const filters = or(fc.array(or(filter), { maxLength: 2 }))

const search = some({
  filter: or(filter),
  partition_filter: filters,
  page: or(
    some({
      size: or(fc.integer({ min: 0, max: 20_000 })),
      from: or(fc.nat()),
      sort: or(fc.constantFrom('id', '-params.age,id', 'fullname', 'a b')),
      before: or(fc.constantFrom('', 'x')),
    }),
  ),
  projection: or(some({ includes: or(field), excludes: or(fc.constantFrom('params.ci*', 'id', '')) })),
  returned_geometries: or(fc.constantFrom('geo_params.centroid', 'params.job', '')),
})

const body = or(
  some({
    tag: or(
      fc.record({
        path: or(fc.oneof(fc.constant('params.tags'), field)),
        value: or(fc.oneof(literal, fc.double(), fc.boolean())),
      }),
    ),
    search: or(search),
    filter: or(filter),
    partitionFilter: filters,
    propagation: or(some({ field: or(fc.constantFrom('params.job', 'params.age', 'fullname')), filter: or(filter) })),
    form: or(some({ pretty: or(fc.boolean()) })),
    label: or(fc.string()),
  }),
)

const header = fc.constantFrom(
  undefined,
  '{}',
  '{"f":[[{"field":"params.job","op":"eq","value":"Actor"}]]}',
  '{"geodata":1}',
  'x',
)
const columns = fc.constantFrom(undefined, 'params.tags,params.job', '*')

test('whatever is sent is refused with a reason of its own, or can be carried out', async () => {
  const params = { taggable_fields: 'params.tags,params.job,params.age,nope,params,fullname,toString,__proto__' }
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('tag' as const, 'untag' as const),
      body,
      header,
      columns,
      async (operation, sent, partition, covered) => {
        const texts = {
          ...(partition === undefined ? {} : { partition }),
          ...(covered === undefined ? {} : { columns: covered }),
        }
        const access = accessOf(texts)
        const collection = await openSample({ params, access })
        const context = { access, limits, now: NOW }
        let record: NewTagRecord
        try {
          record = checkTagRequest(operation, sent, { ...context, collection })
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
          expect(error).toMatchObject({ status: expect.toSatisfy((status: number) => status >= 400 && status < 500) })
          return
        }
        accepted++
        // As read back from the log, without the column filter of the caller.
        const { request } = JSON.parse(JSON.stringify(record)) as NewTagRecord
        expect(request).toEqual(record.request)
        expect(() => resolveTagSelection(collection, request, context)).not.toThrow()
      },
    ),
    { numRuns: 1_500 },
  )
  expect(accepted).toBeGreaterThan(20)
})
