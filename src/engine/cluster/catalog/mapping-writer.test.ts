import { describe, expect, test } from 'vitest'
import { learntFields, missingFields } from '../../../mapping/mapping-difference.ts'
import { writeIndex, writeProperties } from './mapping-writer.ts'

describe('mapping for a cluster', () => {
  test('fields read values as the embedded engine does', () => {
    expect(
      writeProperties({
        k: { type: 'keyword' },
        t: { type: 'text' },
        d: { type: 'date', format: "yyyy 'E'" },
        m: { type: 'date', format: 'EEE, dd MMM yyyy' },
        p: { type: 'geo_point' },
        s: { type: 'geo_shape' },
        o: { properties: { n: { type: 'long' } } },
      }),
    ).toEqual({
      k: { type: 'keyword', ignore_above: 10_922 },
      t: { type: 'text' },
      d: { type: 'date', format: "yyyy 'E'" },
      m: { type: 'date', format: 'EEE, dd MMM yyyy', locale: 'en' },
      p: { type: 'geo_point', ignore_malformed: true },
      s: { type: 'geo_shape', ignore_malformed: true, coerce: true },
      o: { type: 'object', properties: { n: { type: 'long' } } },
    })
  })

  test('what is not searched is not a reason to refuse', () => {
    expect(
      writeProperties({
        n: { type: 'long', index: false },
        t: { type: 'text', index: false },
        parts: { type: 'nested', properties: { n: { type: 'long' } } },
        off: { index: false, properties: { k: { type: 'keyword' } } },
      }),
    ).toEqual({
      n: { type: 'long', index: false, doc_values: false, ignore_malformed: true },
      t: { type: 'text', index: false },
      parts: { type: 'nested', properties: { n: { type: 'long', ignore_malformed: true } } },
      off: {
        type: 'object',
        properties: { k: { type: 'keyword', ignore_above: 10_922, index: false, doc_values: false } },
      },
    })
  })

  test('dynamic is kept beside the mapping, or stated where the index is not ours', () => {
    const properties = { o: { dynamic: 'strict' as const, properties: { x: { dynamic: true, properties: {} } } } }
    expect(writeIndex({ dynamic: true, properties }).mappings).toEqual({
      dynamic: false,
      _meta: { periplus: { dynamic: { '': true, o: 'strict', 'o.x': true } } },
      properties: { o: { type: 'object', properties: { x: { type: 'object', properties: {} } } } },
    })
    expect(writeProperties(properties, { statesDynamic: true })).toEqual({
      o: { type: 'object', dynamic: 'strict', properties: { x: { type: 'object', dynamic: true, properties: {} } } },
    })
  })

  test('shards and replicas are stated when they were chosen', () => {
    expect(writeIndex({ properties: {} }, { shards: 3, replicas: 0 }).settings).toMatchObject({
      index: { number_of_shards: 3, number_of_replicas: 0 },
    })
    expect(Object.keys(Object(writeIndex({ properties: {} }).settings).index)).toEqual(['max_regex_length', 'mapping'])
  })
})

describe('fields a mapping lacks', () => {
  const known = {
    properties: {
      a: { type: 'long' as const },
      o: { properties: { x: { type: 'keyword' as const } } },
      closed: { type: 'object' as const, dynamic: false, properties: {} },
      raw: { type: 'object' as const, enabled: false },
    },
  }
  const wanted = {
    properties: {
      a: { type: 'text' as const },
      b: { type: 'ip' as const },
      o: { properties: { x: { type: 'long' as const }, y: { type: 'date' as const } } },
      closed: { type: 'object' as const, properties: { z: { type: 'long' as const } } },
      raw: { type: 'object' as const, properties: { z: { type: 'long' as const } } },
    },
  }

  test('are told with the objects around them', () => {
    expect(missingFields(known, wanted)).toEqual({
      properties: {
        b: { type: 'ip' },
        o: { properties: { y: { type: 'date' } } },
        closed: { type: 'object', properties: { z: { type: 'long' } } },
      },
    })
    expect(missingFields(known, known)).toBeUndefined()
  })

  test('are learnt where the mapping is open to them', () => {
    expect(learntFields(known, wanted)).toEqual({
      properties: { b: { type: 'ip' }, o: { properties: { y: { type: 'date' } } } },
    })
    expect(learntFields({ ...known, dynamic: false }, wanted)).toBeUndefined()
  })
})
