import { describe, expect, test } from 'vitest'
import { type Mapping, readOtherwise } from '../../../model/mapping.ts'
import { indexFields } from '../../../query/schema/index-fields.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import { readMapping } from './mapping-reader.ts'
import { writeIndex } from './mapping-writer.ts'

const typeOf = (type: string) => readMapping({ properties: { a: { type } } }).properties.a?.type

describe('mapping of a cluster', () => {
  test.each([
    ['keyword', 'keyword'],
    ['half_float', 'float'],
    ['scaled_float', 'double'],
    ['unsigned_long', 'long'],
    ['date_nanos', 'date'],
    ['wildcard', 'keyword'],
    ['constant_keyword', 'keyword'],
    ['match_only_text', 'text'],
    ['integer_range', 'integer_range'],
    ['binary', 'binary'],
    ['completion', 'completion'],
    ['token_count', 'token_count'],
    ['flattened', 'unknown'],
    ['ip_range', 'unknown'],
    ['dense_vector', 'unknown'],
    ['passthrough', 'object'],
    ['constructor', 'unknown'],
  ])('%s is %s', (type, expected) => {
    expect(typeOf(type)).toBe(expected)
  })

  test('parameters that count are kept', () => {
    const mapping = readMapping({
      dynamic: 'strict',
      properties: {
        when: { type: 'date', format: 'epoch_second', doc_values: false },
        off: { type: 'keyword', index: false },
        label: { type: 'keyword', copy_to: 'all', ignore_above: 20 },
        raw: { type: 'object', enabled: false },
        parts: { type: 'nested', dynamic: 'false', properties: { size: { type: 'integer' } } },
        open: { dynamic: 'true', properties: { x: { type: 'long' } } },
        empty: { type: 'object' },
      },
    })
    expect(mapping).toEqual({
      dynamic: 'strict',
      properties: {
        when: { type: 'date', format: 'epoch_second' },
        off: { type: 'keyword', index: false },
        label: { type: 'keyword', copy_to: ['all'], [readOtherwise]: true },
        raw: { type: 'object', enabled: false },
        parts: { type: 'nested', dynamic: false, properties: { size: { type: 'integer' } } },
        open: { type: 'object', dynamic: true, properties: { x: { type: 'long' } } },
        empty: { type: 'object', properties: {} },
      },
    })
  })

  test.each([
    ['plain', true],
    ['word', true],
    ['short', false],
    ['rounded', false],
    ['text', false],
    ['text.raw', true],
    ['text.lower', false],
    ['also', false],
    ['computed', false],
  ])('whether the values of %s can be told from a document: %s', (path, expected) => {
    const mapping = readMapping({
      runtime: { computed: { type: 'keyword' } },
      properties: {
        plain: { type: 'long' },
        word: { type: 'keyword' },
        short: { type: 'keyword', ignore_above: 20 },
        rounded: { type: 'half_float' },
        text: {
          type: 'text',
          fields: { raw: { type: 'keyword' }, lower: { type: 'keyword', normalizer: 'lowercase' } },
        },
        also: { type: 'alias', path: 'word' },
      },
    })
    const field = schemaOf([{ name: 'i', mapping }]).lookup(path)
    expect(field && indexFields(mapping).reading(field)?.exact).toBe(expected)
  })

  test('sub-fields, aliases and runtime fields can be looked up', () => {
    const mapping = readMapping({
      runtime: { 'computed.day': { type: 'keyword' }, odd: { type: 'composite' } },
      properties: {
        name: { type: 'text', fields: { raw: { type: 'keyword' }, hash: { type: 'murmur3' } } },
        other: { type: 'alias', path: 'name.raw' },
        when: { type: 'date', format: 'yyyy' },
        group: { properties: { moment: { type: 'alias', path: 'when' }, lost: { type: 'alias', path: 'nowhere' } } },
        'with.dots': { type: 'long' },
      },
    })
    const { lookup } = schemaOf([{ name: 'i', mapping }])
    expect(lookup('name.raw')?.type).toBe('KEYWORD')
    expect(lookup('name.hash')?.type).toBe('UNKNOWN')
    expect(lookup('other')).toMatchObject({ path: 'other', type: 'KEYWORD' })
    expect(lookup('group.moment')).toMatchObject({ type: 'DATE', format: 'yyyy' })
    expect(lookup('group.lost')?.type).toBe('UNKNOWN')
    expect(lookup('computed.day')?.type).toBe('KEYWORD')
    expect(lookup('odd')?.type).toBe('UNKNOWN')
    expect(lookup('with.dots')?.type).toBe('LONG')
  })

  test('a mapping that is switched off has no field', () => {
    expect(readMapping({ enabled: false, properties: { a: { type: 'long' } } })).toEqual({ properties: {} })
  })

  test('one we wrote reads as it was', () => {
    const mapping: Mapping = {
      dynamic: 'strict',
      properties: {
        id: { type: 'keyword', copy_to: ['all'], fields: { words: { type: 'text' } } },
        when: { type: 'date', format: 'dd MMM yyyy' },
        off: { type: 'integer', index: false },
        where: { type: 'geo_point', index: false },
        outline: { type: 'geo_shape' },
        all: { type: 'text' },
        params: { type: 'object', dynamic: true, properties: { n: { type: 'byte' } } },
        raw: { type: 'object', enabled: false },
        parts: { type: 'nested', dynamic: false, properties: { size: { type: 'integer' } } },
      },
    }
    const { mappings } = writeIndex(mapping)
    expect(mappings).toMatchObject({ dynamic: false })
    expect(readMapping(JSON.parse(JSON.stringify(mappings)))).toEqual(mapping)
  })
})
