import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Components } from './components.ts'
import type { Schema } from './described-route.ts'

const plain = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema))

const Inner = plain(Type.Object({ word: Type.Optional(Type.Enum(['a', 'b'])) }, { $id: 'Inner' }))
const Outer = plain({
  ...Type.Object({ need: Type.String(), may: Type.Optional(Type.Integer()) }, { $id: 'Outer' }),
})

test('a schema with an id becomes a component, and what is said of one use stays there', () => {
  const components = new Components()
  const used = components.answered({ type: 'array', items: { ...Inner, description: 'One of them.' } })
  expect(used).toEqual({ type: 'array', items: { description: 'One of them.', $ref: '#/components/schemas/Inner' } })
  expect(components.schemas().Inner).toEqual({
    description: 'One of them.',
    type: 'object',
    properties: { word: { type: 'string', enum: ['a', 'b'] } },
  })
})

test('members that requests may leave out may be null, those of answers may not', () => {
  const answers = new Components()
  answers.answered(Outer)
  expect(answers.schemas().Outer).toEqual(plain({ ...Outer, $id: undefined }))
  const requests = new Components()
  requests.sent(Outer)
  expect(requests.schemas().Outer?.properties).toEqual({ need: { type: 'string' }, may: { type: ['integer', 'null'] } })
})

test('what requests and answers share is described as requests have it, in either order', () => {
  const ways = [['sent', 'answered'] as const, ['answered', 'sent'] as const].map((order) => {
    const components = new Components()
    for (const way of order) components[way]({ type: 'object', properties: { inner: Inner } })
    return components.schemas().Inner
  })
  expect(ways[0]).toEqual(ways[1])
  expect(ways[0]?.properties).toEqual({ word: { type: ['string', 'null'], enum: ['a', 'b', null] } })
})

test('what only the document says replaces nothing of the model', () => {
  const components = new Components()
  const stated = { type: 'string', description: 'A path.', 'x-documented': { pattern: '\\S' } }
  expect(components.answered(stated)).toEqual({ type: 'string', description: 'A path.', pattern: '\\S' })
})

test('two schemas of one name are a fault', () => {
  const components = new Components()
  components.answered(Inner)
  expect(() => components.answered({ ...Outer, $id: 'Inner' })).toThrow('two schemas have the name Inner')
})
