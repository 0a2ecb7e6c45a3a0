import { describe, expect, test } from 'vitest'
import { indexInfo, sampleView } from '../request/sample-collection.fixture.ts'
import { schemaOf } from './schema.ts'

describe('schema', () => {
  test('fields of one index, parents before children', () => {
    const { schema } = sampleView
    expect(schema.lookup('params')).toEqual({ path: 'params', type: 'OBJECT', indexed: true, nested: false })
    expect(schema.lookup('params.startdate')).toEqual({
      path: 'params.startdate',
      type: 'DATE',
      format: 'epoch_millis',
      indexed: true,
      nested: false,
    })
    expect(schema.lookup('params.not_indexed')?.indexed).toBe(false)
    expect(schema.lookup('params.not_enabled')).toMatchObject({ type: 'OBJECT', indexed: false })
    expect(schema.lookup('types.parts')).toMatchObject({ type: 'NESTED', nested: false })
    expect(schema.lookup('types.parts.name')).toMatchObject({ type: 'KEYWORD', nested: true })
    expect(schema.lookup('params.nope')).toBeUndefined()
    expect(schema.fields.map((f) => f.path).slice(0, 5)).toEqual([
      'id',
      'fullname',
      'text_search',
      'params',
      'params.job',
    ])
  })

  test('nothing below a disabled object is a field', () => {
    const schema = schemaOf([
      indexInfo('a', {
        properties: { raw: { type: 'object', enabled: false, properties: { x: { type: 'keyword' } } } },
      }),
    ])
    expect(schema.fields.map((f) => f.path)).toEqual(['raw'])
  })

  test('several indices: the union, the first in name order wins', () => {
    const schema = schemaOf([
      indexInfo('b', {
        properties: { x: { type: 'text' }, only_b: { type: 'long' }, p: { properties: { b: { type: 'ip' } } } },
      }),
      indexInfo('a', { properties: { x: { type: 'keyword' }, p: { properties: { a: { type: 'byte' } } } } }),
    ])
    expect(schema.indices).toEqual(['a', 'b'])
    expect(schema.lookup('x')?.type).toBe('KEYWORD')
    expect(schema.indicesOf('x')).toEqual(['a', 'b'])
    expect(schema.indicesOf('only_b')).toEqual(['b'])
    expect(schema.indicesOf('none')).toEqual([])
    expect(schema.tree).toEqual({
      properties: {
        x: { type: 'keyword' },
        p: { properties: { a: { type: 'byte' }, b: { type: 'ip' } } },
        only_b: { type: 'long' },
      },
    })
  })

  test('a dotted name is the same path as nested objects', () => {
    const schema = schemaOf([indexInfo('a', { properties: { 'p.q.r': { type: 'long' }, p: { properties: {} } } })])
    expect(schema.fields.map((f) => [f.path, f.type])).toEqual([
      ['p', 'OBJECT'],
      ['p.q', 'OBJECT'],
      ['p.q.r', 'LONG'],
    ])
  })

  test('sub-fields are found, and are none of the fields', () => {
    const schema = schemaOf([
      indexInfo('a', {
        properties: {
          name: {
            type: 'text',
            index: false,
            fields: { raw: { type: 'keyword' }, off: { type: 'long', index: false } },
          },
          parts: { type: 'nested', properties: { x: { type: 'text', fields: { raw: { type: 'keyword' } } } } },
        },
      }),
      indexInfo('b', {
        properties: { name: { type: 'text', fields: { raw: { type: 'ip' }, hash: { type: 'murmur3' } } } },
      }),
    ])
    expect(schema.fields.map((f) => f.path)).toEqual(['name', 'parts', 'parts.x'])
    expect(schema.lookup('name.raw')).toEqual({
      path: 'name.raw',
      source: 'name',
      type: 'KEYWORD',
      indexed: true,
      nested: false,
    })
    expect(schema.indicesOf('name.raw')).toEqual(['a', 'b'])
    expect(schema.lookup('name.off')?.indexed).toBe(false)
    expect(schema.lookup('name.hash')?.type).toBe('UNKNOWN')
    expect(schema.indicesOf('name.hash')).toEqual(['b'])
    expect(schema.lookup('parts.x.raw')?.nested).toBe(true)
    expect(schema.tree.properties.name?.fields).toEqual({
      raw: { type: 'keyword' },
      off: { type: 'long', index: false },
      hash: { type: 'murmur3' },
    })
  })

  test('a field is found before a sub-field of another index that has the same path', () => {
    const schema = schemaOf([
      indexInfo('a', { properties: { name: { type: 'text', fields: { raw: { type: 'keyword' } } } } }),
      indexInfo('b', { properties: { name: { properties: { raw: { type: 'long' } } } } }),
    ])
    expect(schema.lookup('name.raw')?.type).toBe('LONG')
    expect(schema.indicesOf('name.raw')).toEqual(['b'])
  })
})
