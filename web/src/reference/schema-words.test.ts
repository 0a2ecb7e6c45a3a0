import { expect, test } from 'vitest'
import { type OpenApi, resolverOf, type Schema } from './openapi.ts'
import { membersOf, ruleWords, typeWords } from './schema-words.ts'

const node: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    old: { type: 'string', deprecated: true },
    children: { type: ['array', 'null'], items: { $ref: '#/components/schemas/Node' } },
  },
}
const api: OpenApi = { info: { version: '1' }, tags: [], paths: {}, components: { schemas: { Node: node } } }
const resolve = resolverOf(api)
const reference: Schema = { $ref: '#/components/schemas/Node' }

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: ['array', 'null'], items: reference }, 'Node[] | null'],
  [{ anyOf: [reference, { type: 'null' }] }, 'Node | null'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ const: 404 }, '404'],
])('the type of %j is %s', (schema, text) => {
  expect(typeWords(schema, resolve)).toBe(text)
})

test('rules leave out the range of 32-bit integers', () => {
  const size: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: 2147483647, default: 10 }
  expect(ruleWords(size, resolve)).toEqual(['at least 1', 'default 10'])
})

test('members are found through references, lists and alternatives, also of objects that contain themselves', () => {
  const members = membersOf({ anyOf: [{ type: 'array', items: reference }, { type: 'null' }] }, resolve)
  expect(members.map(({ name, isRequired, isDeprecated }) => [name, isRequired, isDeprecated])).toEqual([
    ['name', true, false],
    ['old', false, true],
    ['children', false, false],
  ])
})
