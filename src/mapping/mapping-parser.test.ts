import { describe, expect, it } from 'vitest'
import { parseMapping } from './mapping-parser.ts'

describe('parseMapping', () => {
  it('keeps what it knows', () => {
    const mapping = {
      dynamic: false,
      properties: {
        id: { type: 'keyword' },
        params: {
          properties: {
            startdate: { type: 'date', format: 'epoch_millis' },
            not_indexed: { type: 'keyword', index: false },
            not_enabled: { type: 'object', enabled: false },
            label: { type: 'keyword', copy_to: ['internal.fulltext', 'internal.autocomplete'] },
          },
        },
        place: { type: 'geo_point' },
      },
    }
    const { mapping: parsed, notes } = parseMapping(mapping)
    expect(notes).toEqual([])
    expect(parsed).toEqual({
      dynamic: false,
      properties: {
        id: { type: 'keyword' },
        params: {
          type: 'object',
          properties: {
            startdate: { type: 'date', format: 'epoch_millis' },
            not_indexed: { type: 'keyword', index: false },
            not_enabled: { type: 'object', enabled: false, properties: {} },
            label: { type: 'keyword', copy_to: ['internal.fulltext', 'internal.autocomplete'] },
          },
        },
        place: { type: 'geo_point' },
      },
    })
  })

  it.each([
    ['half_float', 'float'],
    ['scaled_float', 'double'],
    ['unsigned_long', 'long'],
    ['date_nanos', 'date'],
    ['wildcard', 'keyword'],
    ['constant_keyword', 'keyword'],
    ['match_only_text', 'text'],
  ])('reads %s as %s', (given, kept) => {
    const { mapping, notes } = parseMapping({ properties: { a: { type: given } } })
    expect(mapping.properties.a).toEqual({ type: kept })
    expect(notes).toEqual([`a: type ${given} is stored as ${kept}`])
  })

  it('takes names with dots apart', () => {
    const { mapping } = parseMapping({
      properties: { 'a.b': { type: 'long' }, a: { properties: { c: { type: 'ip' } } } },
    })
    expect(mapping.properties).toEqual({
      a: { type: 'object', properties: { b: { type: 'long' }, c: { type: 'ip' } } },
    })
  })

  it('keeps sub-fields where the engine has them', () => {
    const field = {
      type: 'text',
      fields: { raw: { type: 'keyword', ignore_above: 256 }, hash: { type: 'murmur3' }, half: { type: 'half_float' } },
    }
    expect(parseMapping({ properties: { a: field } }, { subFields: true })).toEqual({
      mapping: {
        properties: {
          a: { type: 'text', fields: { raw: { type: 'keyword' }, hash: { type: 'murmur3' }, half: { type: 'float' } } },
        },
      },
      notes: ['a.half: type half_float is stored as float'],
    })
  })

  it.each([
    [{ raw: { type: 'object' } }, 'mappings.properties.a.fields.raw.type must not be an object'],
    [{ 'x.y': { type: 'keyword' } }, 'mappings.properties.a.fields.x.y must have a name without dots'],
    [{ raw: { type: 'keyword', copy_to: 'b' } }, 'mappings.properties.a.fields.raw must not have copy_to'],
    [{ raw: { type: 'vector' } }, 'mappings.properties.a.fields.raw.type must be one of'],
    ['raw', 'mappings.properties.a.fields must be an object'],
  ])('refuses the sub-fields %j', (fields, message) => {
    expect(() => parseMapping({ properties: { a: { type: 'text', fields } } }, { subFields: true })).toThrow(message)
  })

  it('says what it leaves out', () => {
    const { mapping, notes } = parseMapping({
      date_detection: false,
      properties: { a: { type: 'text', analyzer: 'french', norms: false, fields: { raw: { type: 'keyword' } } } },
    })
    expect(mapping).toEqual({ properties: { a: { type: 'text' } } })
    expect(notes).toEqual([
      'mappings.date_detection is ignored',
      'a: analyzer is ignored',
      'a: its sub-fields are ignored',
    ])
  })

  it.each([
    [{ properties: { a: { type: 'dense_vector' } } }, "mappings.properties.a.type must be one of .*got 'dense_vector'"],
    [{ properties: { a: {} } }, 'mappings.properties.a.type is missing'],
    [{ properties: { a: { type: 'long', properties: {} } } }, 'is of type long and cannot have properties'],
    [{ properties: { a: { type: 'date', format: 'qqq' } } }, 'mappings.properties.a.format'],
    [{ properties: { a: { type: 'long', index: 3 } } }, 'must be true or false'],
    [{ properties: { 'a.': { type: 'long' } } }, 'empty parts'],
    [{ properties: { a: { type: 'long' }, 'a.b': { type: 'long' } } }, 'given twice'],
    [{ dynamic: 'maybe' }, 'must be true, false or strict'],
    [[], 'mappings must be an object'],
    ['x', 'mappings must be an object'],
  ])('refuses %j', (value, message) => {
    expect(() => parseMapping(value)).toThrow(new RegExp(message))
  })

  it('is empty without mappings', () => {
    expect(parseMapping(undefined).mapping).toEqual({ properties: {} })
  })
})
