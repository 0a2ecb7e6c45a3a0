import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { indexInfo } from '../request/sample-collection.fixture.ts'
import { compilePatterns } from './field-pattern.ts'
import { schemaOf } from './schema.ts'
import { checkColumns, hiddenFields, visibleColumns, visibleSchema } from './visible-columns.ts'

const whole = schemaOf([
  indexInfo('i', {
    properties: {
      id: { type: 'keyword' },
      place: { type: 'geo_point' },
      params: {
        properties: {
          job: { type: 'keyword' },
          age: { type: 'integer' },
          deep: { properties: { x: { type: 'long' } } },
        },
      },
      secret: { properties: { name: { type: 'keyword' } } },
    },
  }),
])

const columns = (patterns: string) => visibleColumns(compilePatterns(patterns), ['id', 'place'])

describe('the schema a caller sees', () => {
  test.each<[string, readonly string[]]>([
    ['params.job', ['id', 'place', 'params', 'params.job']],
    ['params.deep.x', ['id', 'place', 'params', 'params.deep', 'params.deep.x']],
    ['params', ['id', 'place', 'params', 'params.job', 'params.age', 'params.deep', 'params.deep.x']],
    ['params.*', ['id', 'place', 'params', 'params.job', 'params.age', 'params.deep', 'params.deep.x']],
    ['nothing', ['id', 'place']],
    ['*', whole.fields.map((field) => field.path)],
  ])('%s', (patterns, paths) => {
    const seen = visibleSchema(whole, columns(patterns))
    expect(seen.fields.map((field) => field.path)).toEqual(paths)
    for (const { path } of whole.fields) {
      const isSeen = paths.includes(path)
      expect(seen.lookup(path) !== undefined, path).toBe(isSeen)
      expect(seen.indicesOf(path), path).toEqual(isSeen ? ['i'] : [])
    }
    expect(JSON.stringify(seen.tree).includes('secret')).toBe(paths.includes('secret'))
    expect(JSON.stringify(seen.tree).includes('"age"')).toBe(paths.includes('params.age'))
  })
})

test('what is hidden: what exclude_fields names, and what is not covered', () => {
  const hidden = hiddenFields(compilePatterns('params.age'), columns('params.job,params.age'), whole)
  const paths = [
    'id',
    'place',
    'params',
    'params.job',
    'params.age',
    'params.deep',
    'secret',
    'secret.name',
    'unmapped',
  ]
  expect(paths.filter((path) => hidden.selects(path))).toEqual([
    'params.age',
    'params.deep',
    'secret',
    'secret.name',
    'unmapped',
  ])
})

test('paths that are not covered are refused together, whether they exist or not', () => {
  const check = (...named: readonly string[]): string => {
    try {
      checkColumns(columns('params.job'), named)
    } catch (error) {
      if (error instanceof Problem) return `${error.code} ${error.message}`
      throw error
    }
    return 'passed'
  }
  expect(check('id', 'params.job', 'place', 'place.lat')).toBe('passed')
  expect(check('secret', 'id', 'nope', 'secret')).toBe('COLUMN_NOT_AVAILABLE Column secret, nope is not available')
  expect(check('params')).toContain('Column params is')
  expect(check('*')).toContain('Column * is')
})
