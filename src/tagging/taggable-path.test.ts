import { describe, expect, test } from 'vitest'
import { mapping as sample } from '../../test/conformance/dataset.ts'
import { Problem } from '../errors.ts'
import type { Mapping } from '../model/mapping.ts'
import { openSample } from './open-sample.fixture.ts'
import { checkTaggable } from './taggable-path.ts'

const mapping: Mapping = {
  properties: {
    ...sample.properties,
    parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
    place: { type: 'geo_point' },
    blob: { type: 'binary' },
    span: { type: 'date_range' },
    hint: { type: 'completion' },
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    closed: { dynamic: 'strict', properties: { known: { type: 'keyword' }, open: { dynamic: true, properties: {} } } },
  },
}

async function taggable(path: string, options: { listed?: string; mapping?: Mapping } = {}): Promise<string> {
  const collection = await openSample({
    params: { taggable_fields: options.listed ?? path },
    mapping: options.mapping ?? mapping,
  })
  try {
    return checkTaggable(path, collection)?.type ?? 'new'
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'FIELD_NOT_TAGGABLE') throw error
    return error.message
  }
}

describe('paths that can hold tags', () => {
  test.each([
    ['params.tags', 'KEYWORD'],
    ['title', 'TEXT'],
    ['params.age', 'INTEGER'],
    ['hint', 'UNKNOWN'],
    ['extra.deep.tags', 'new'],
    ['closed.known', 'KEYWORD'],
    ['closed.open.fresh', 'new'],
  ])('%s', async (path, type) => {
    expect(await taggable(path)).toBe(type)
  })

  test('items of the list may have blanks around them', async () => {
    expect(await taggable('params.tags', { listed: ' params.job ,  params.tags ' })).toBe('KEYWORD')
  })
})

describe('paths that cannot', () => {
  test.each([
    ['id', 'one of the four paths of collection geodata'],
    ['geo_params.geometry', 'one of the four paths of collection geodata'],
    ['geo_params.geometry.type', 'is below geo_params.geometry'],
    ['geo_params.centroid', 'one of the four paths of collection geodata'],
    ['params.startdate', 'one of the four paths of collection geodata'],
    ['params', 'type OBJECT'],
    ['parts', 'type NESTED'],
    ['parts.name', 'below parts, a field of type NESTED'],
    ['parts.fresh', 'below parts, a field of type NESTED'],
    ['place', 'type GEO_POINT'],
    ['blob', 'type BINARY'],
    ['span', 'type DATE_RANGE'],
    ['title.raw', 'a sub-field of title'],
    ['closed.fresh', 'index dataset is strict'],
    ['closed.fresh.deep', 'index dataset is strict'],
  ])('%s', async (path, words) => {
    const message = await taggable(path)
    expect(message).toContain(`The path ${path} `)
    expect(message).toContain(words)
  })

  test('all that are not listed; there are no wildcards', async () => {
    expect(await taggable('params.tags', { listed: 'params.*' })).toContain('taggable_fields of collection geodata')
    expect(await taggable('params.tags', { listed: '' })).toContain('taggable_fields')
    expect(await taggable('params.tags', { listed: 'params' })).toContain('taggable_fields')
  })

  test('new ones of a strict mapping', async () => {
    expect(await taggable('extra.tags', { mapping: { ...mapping, dynamic: 'strict' } })).toContain('strict')
    expect(await taggable('params.tags', { mapping: { ...mapping, dynamic: 'strict' } })).toBe('KEYWORD')
  })
})
