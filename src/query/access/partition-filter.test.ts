import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { lazyPartitionFilter, parsePartitionFilter } from './partition-filter.ts'

const job = (value: string) => ({ f: [[{ field: 'job', op: 'eq', value }]] })

function faultOf(read: () => unknown): Problem {
  try {
    read()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

describe('which filters hold for a collection', () => {
  const of = (...objects: readonly object[]) => {
    const parsed = parsePartitionFilter(objects.map((object) => JSON.stringify(object)).join(' , '))
    return (collection: string) => parsed.filtersOf(collection)
  }

  test('plain filters hold for every collection', () => {
    expect(of(job('Actor'), job('Coach'))('trips')).toEqual([job('Actor'), job('Coach')])
    expect(of({})('trips')).toEqual([{}])
    expect(of({ q: [['a']], dateformat: 'yyyy', righthand: false })('trips')).toHaveLength(1)
  })

  test('entries of a map hold for theirs only, beside the plain ones', () => {
    const filters = of({ trips: job('Actor'), parks: job('Coach') }, job('Coder'), { trips: {} })
    expect(filters('trips')).toEqual([job('Actor'), job('Coder'), {}])
    expect(filters('parks')).toEqual([job('Coach'), job('Coder')])
    expect(filters('other')).toEqual([job('Coder')])
    expect(of({ trips: job('Actor') })('other')).toEqual([])
  })

  test('an object with one key that no Filter has is a map', () => {
    expect(of({ f: {}, trips: {} })('f')).toEqual([{}])
  })

  test('a collection may be called like a member of every object', () => {
    expect(of({ trips: {} })('toString')).toEqual([])
    expect(parsePartitionFilter('{"__proto__":{"f":[]}}').filtersOf('__proto__')).toEqual([{ f: [] }])
  })
})

describe('what cannot be read', () => {
  const wrong = [
    '',
    ' ',
    ',',
    '[]',
    '1',
    'null',
    '"secret"',
    '{"f":"secret"}',
    '{"trips":["secret"]}',
    '{"trips":{"secret":1}}',
    '{"f":[]}]',
    '{} {}',
  ]

  test.each(wrong)('%s: 400, without a word of it', (text) => {
    const fault = faultOf(() => parsePartitionFilter(text))
    expect(fault).toMatchObject({ status: 400, code: 'INVALID_FILTER' })
    expect(JSON.stringify([fault.message, fault.details])).not.toContain('secret')
  })

  test.each(wrong)('%s: of permissions, it closes', (text) => {
    const fault = faultOf(() => lazyPartitionFilter(text, true).filtersOf('trips'))
    expect(fault).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(fault.message).not.toContain('secret')
  })

  test('is found when it is first needed', () => {
    expect(() => lazyPartitionFilter('{')).not.toThrow()
    expect(faultOf(() => lazyPartitionFilter('{').filtersOf('trips')).code).toBe('INVALID_FILTER')
  })
})
