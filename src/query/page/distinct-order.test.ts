import { expect, test } from 'vitest'
import { limits, sampleView } from '../request/sample-collection.fixture.ts'
import { distinctOrder } from './distinct-order.ts'
import { resolvePage } from './page.ts'

const orderOf = (sort: string, after?: string) => {
  const page = resolvePage(
    { sort, ...(after === undefined ? {} : { after }) },
    { collection: sampleView, limits, origin: 'query' },
  )
  const { sort: keys, cursor } = distinctOrder(page)
  return { keys: keys.map(({ field, descending }) => `${descending ? '-' : ''}${field.path}`), values: cursor?.values }
}

test.each([
  ['params.job,-id', ['params.job', '-id']],
  ['params.job,-params.job,-params.age,params.job,id', ['params.job', '-params.job', '-params.age', 'id']],
  ['id,params.job,id', ['id', 'params.job', 'id']],
  ['params.job,params.job,params.job,id', ['params.job', 'id']],
  ['-params.job,geodistance:1 2,-params.job', ['-params.job', 'geo_params.centroid', 'id']],
])('%s orders by %j', (sort, keys) => {
  expect(orderOf(sort).keys).toEqual(keys)
})

test('a cursor loses the values of the keys that went', () => {
  expect(orderOf('params.job,params.age,params.job,id', 'Actor,5,Actor,x')).toEqual({
    keys: ['params.job', 'params.age', 'id'],
    values: ['Actor', 5n, 'x'],
  })
})
