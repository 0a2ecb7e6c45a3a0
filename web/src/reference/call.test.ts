import { expect, test } from 'vitest'
import { callOf, curlText } from './call.ts'
import type { NamedOperation } from './operations.ts'

const operation: NamedOperation = {
  ...{ id: 'searchThings', operationId: 'searchThings', tags: [], words: '', responses: {} },
  method: 'post',
  path: '/explore/{collection}/_search',
  parameters: [
    { name: 'collection', in: 'path', required: true },
    { name: 'f', in: 'query', schema: { type: 'array' } },
    { name: 'column-filter', in: 'header' },
  ],
  requestBody: { content: { 'application/json': {} } },
}
const values = { collection: 'a b/c', f: 'mag:gte:5\nq:eq:x&y', 'column-filter': 'mag' }
const call = callOf(operation, { values, body: `{"a":"it's"}`, type: 'application/json' })

test('values are encoded, lines are repeated, empty values are left out', () => {
  expect(call.path).toBe('explore/a%20b%2Fc/_search?f=mag:gte:5&f=q:eq:x%26y')
  expect(call.headers).toEqual({ 'column-filter': 'mag', 'content-type': 'application/json' })
  expect(callOf(operation, { values: { collection: 'a', f: '' }, body: '', type: undefined })).toMatchObject({
    path: 'explore/a/_search',
    headers: {},
  })
})

test('the curl command quotes for the shell, and never contains the token', () => {
  const text = curlText(call, 'http://localhost:9999/', true)
  expect(text.split(' \\\n  ')).toEqual([
    "curl -X POST 'http://localhost:9999/explore/a%20b%2Fc/_search?f=mag:gte:5&f=q:eq:x%26y'",
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'column-filter: mag'",
    "-H 'content-type: application/json'",
    `--data-binary '{"a":"it'\\''s"}'`,
  ])
  const lines = callOf(operation, { values, body: `{"a":"it's"}\n{}\n`, type: 'application/x-ndjson' })
  expect(curlText(lines, '', false)).toContain(`--data-binary $'{"a":"it\\'s"}\\n{}\\n'`)
})
