import { expect, test } from 'vitest'
import { fieldsOf, taggableFields, valueAt } from './collection-fields.ts'
import { curlCommand } from './curl.ts'

test('commands survive a shell', () => {
  expect(curlCommand('http://localhost:9999/maps/', "explore/it's/_count?f=a:eq:1", false)).toBe(
    "curl 'http://localhost:9999/maps/explore/it'\\''s/_count?f=a:eq:1'",
  )
  expect(curlCommand('http://localhost:9999/', 'explore/_list', true)).toBe(
    `curl -H "Authorization: Bearer $TOKEN" 'http://localhost:9999/explore/_list'`,
  )
})

test('fields are listed by their paths and named for people', () => {
  const leaf = { indexed: true, taggable: false }
  const fields = fieldsOf({
    collection_name: 'boats',
    params: {
      id_path: 'id',
      geometry_path: 'g',
      centroid_path: 'c',
      timestamp_path: 't',
      display_names: { fields: { id: 'Number' } },
    },
    properties: {
      id: { type: 'KEYWORD', ...leaf },
      params: {
        type: 'OBJECT',
        ...leaf,
        properties: { start_date: { type: 'DATE', ...leaf }, magType: { type: 'KEYWORD', ...leaf } },
      },
      crew: { type: 'NESTED', ...leaf, properties: { name: { type: 'KEYWORD', ...leaf } } },
    },
  })
  expect(fields.map(({ path, name }) => [path, name])).toEqual([
    ['id', 'Number'],
    ['params.start_date', 'Start date'],
    ['params.magType', 'Mag Type'],
  ])
})

test('fields that may be tagged are offered before a document has them', () => {
  const paths = { id_path: 'id', geometry_path: 'g', centroid_path: 'c', timestamp_path: 't' }
  const fields = taggableFields({
    collection_name: 'boats',
    params: { ...paths, taggable_fields: 'state, labels,', display_names: { fields: { labels: 'Marks' } } },
    properties: {
      id: { type: 'KEYWORD', indexed: true, taggable: false },
      state: { type: 'INTEGER', indexed: true, taggable: true },
    },
  })
  expect(fields.map(({ path, name, type }) => [path, name, type])).toEqual([
    ['state', 'State', 'INTEGER'],
    ['labels', 'Marks', 'KEYWORD'],
  ])
})

test('values are found through objects, arrays and dotted keys', () => {
  const document = { a: { b: 1 }, 'c.d': 2, e: [{ f: 3 }, { f: 4 }, {}] }
  expect(['a.b', 'c.d', 'e.f', 'x.y'].map((path) => valueAt(document, path))).toEqual([1, 2, [3, 4], undefined])
})
