import { describe, expect, it } from 'vitest'
import type { Mapping } from '../model/mapping.ts'
import { compilePatterns } from '../query/schema/field-pattern.ts'
import { describeFields } from './describe.ts'

const plain = { taggable: false, indexed: true }
const none = new Set<string>()

describe('fields of a collection', () => {
  it('are described as a tree', () => {
    const mapping: Mapping = {
      properties: {
        id: { type: 'keyword' },
        params: {
          properties: { job: { type: 'keyword' }, startdate: { type: 'date', format: 'epoch_millis' } },
        },
        seen: { type: 'date' },
        place: { properties: { where: { type: 'geo_point' }, outline: { type: 'geo_shape' } } },
        parts: { type: 'nested', properties: { size: { type: 'integer' } } },
      },
    }
    expect(describeFields(mapping, compilePatterns(''), new Set(['params.job', 'id.x']))).toEqual({
      id: { type: 'KEYWORD', ...plain },
      params: {
        type: 'OBJECT',
        ...plain,
        properties: {
          job: { type: 'KEYWORD', taggable: true, indexed: true },
          startdate: { type: 'DATE', format: 'epoch_millis', ...plain },
        },
      },
      seen: { type: 'DATE', ...plain },
      place: {
        type: 'OBJECT',
        ...plain,
        properties: { where: { type: 'GEO_POINT', ...plain }, outline: { type: 'GEO_SHAPE', ...plain } },
      },
      parts: { type: 'NESTED', ...plain, properties: { size: { type: 'INTEGER', ...plain } } },
    })
  })

  it('are absent when hidden, and so is what lies below them', () => {
    const mapping: Mapping = {
      properties: {
        params: { properties: { city: { type: 'keyword' }, job: { type: 'keyword' } } },
        secret: { properties: { code: { type: 'keyword' } } },
        bare: { properties: { city: { type: 'keyword' } } },
      },
    }
    expect(describeFields(mapping, compilePatterns('params.ci*,secret,bare.city'), none)).toEqual({
      params: { type: 'OBJECT', ...plain, properties: { job: { type: 'KEYWORD', ...plain } } },
      bare: { type: 'OBJECT', ...plain },
    })
    expect(describeFields(mapping, compilePatterns('*'), none)).toEqual({})
  })

  it('are not indexed when they or a parent are not', () => {
    const mapping: Mapping = {
      properties: {
        a: { type: 'keyword', index: false },
        b: { type: 'object', enabled: false },
        c: { index: false, properties: { d: { type: 'keyword' } } },
      },
    }
    const out = { taggable: false, indexed: false }
    expect(describeFields(mapping, compilePatterns(''), none)).toEqual({
      a: { type: 'KEYWORD', ...out },
      b: { type: 'OBJECT', ...out },
      c: { type: 'OBJECT', ...out, properties: { d: { type: 'KEYWORD', ...out } } },
    })
  })

  it('name the sub-field that holds a hash', () => {
    const mapping: Mapping = {
      properties: { a: { type: 'keyword', fields: { raw: { type: 'text' }, hash: { type: 'murmur3' } } } },
    }
    expect(describeFields(mapping, compilePatterns(''), none)).toEqual({
      a: { type: 'KEYWORD', hash_field: 'hash', ...plain },
    })
  })

  it('keep the names of types a cluster has beside ours', () => {
    const mapping: Mapping = {
      properties: { a: { type: 'integer_range' }, b: { type: 'binary' }, c: { type: 'unknown' } },
    }
    expect(describeFields(mapping, compilePatterns(''), none)).toEqual({
      a: { type: 'INT_RANGE', ...plain },
      b: { type: 'BINARY', ...plain },
      c: { type: 'UNKNOWN', ...plain },
    })
  })
})
