import { describe, expect, it } from 'vitest'
import { fieldPatterns } from '../schema/field-pattern.ts'
import { schemaOf } from '../schema/schema.ts'
import { Notices } from './notices.ts'

const paths = { id_path: 'id', geometry_path: 'g', centroid_path: 'g', timestamp_path: 't' }
const view = {
  reference: { collection_name: 'quakes', params: paths },
  schema: schemaOf([
    {
      name: 'quakes',
      mapping: {
        properties: {
          mag: { type: 'double' },
          magnitude_error: { type: 'double' },
          secret_code: { type: 'keyword' },
          place: { properties: { name: { type: 'keyword' } } },
        },
      },
    },
  ]),
  hidden: fieldPatterns(['secret_code']),
}

function noticesOf(...named: readonly string[]): readonly string[] {
  const notices = new Notices()
  notices.unknownFields(named, view)
  return notices.texts
}

describe('notices', () => {
  it('suggest a field of a similar name', () => {
    expect(noticesOf('magg', 'mag', 'place', 'place.nam', '*', 'zzzzzz')).toEqual([
      'no field `magg`; did you mean `mag`?',
      'no field `place.nam`; did you mean `place.name`?',
      'no field `zzzzzz`',
    ])
  })

  it('do not suggest hidden fields', () => {
    expect(noticesOf('secret_codee')).toEqual(['no field `secret_codee`'])
  })

  it('are few and short', () => {
    const long = noticesOf('x'.repeat(50_000))
    expect(long).toEqual([`no field \`${'x'.repeat(100)}...\``])
    const many = Array.from({ length: 1_000 }, (_, n) => `unknown${n}`)
    const few = noticesOf(...many, ...many)
    expect([few.length, few.at(-1)]).toEqual([6, '995 more'])
  })

  it('name parameters', () => {
    const notices = new Notices()
    notices.unknownParameter('sizee', ['size', 'sort'])
    notices.unknownParameter('sizee', ['size', 'sort'])
    expect(notices.texts).toEqual(['no parameter `sizee`; did you mean `size`?'])
  })
})
