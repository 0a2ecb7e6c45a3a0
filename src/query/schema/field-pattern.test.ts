import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePatterns } from './field-pattern.ts'

describe('field patterns', () => {
  test.each([
    ['params', 'params', true],
    ['params', 'params.job', true],
    ['par*', 'params.job', true],
    ['geo', 'geo_params', false],
    ['geo', 'geo.x', true],
    ['geo*', 'geo_params.centroid', true],
    ['params.ci*', 'params.city', true],
    ['params.ci*', 'params', false],
    ['*.job', 'params.job', true],
    ['*job', 'params.job', true],
    ['*', 'anything.at.all', true],
    ['p*s.j*b', 'params.job', true],
    ['p*s.j*b', 'params.jog', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a**b', 'ab', true],
    ['*arams', 'params.job', true],
    ['params.job', 'params', false],
    [' fullname , params.job ,', 'params.job', true],
    ['', 'id', false],
    [',', '', false],
    ['a.b', 'axb', false],
  ])('%s on %s: %s', (patterns, path, selected) => {
    expect(compilePatterns(patterns).selects(path)).toBe(selected)
  })

  test('a pattern selects what the same regular expression matches', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    const path = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
    fc.assert(
      fc.property(text, path, (pattern, p) => {
        const regex = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
        expect(compilePatterns(pattern).selects(p)).toBe(pattern !== '' && regex.test(p))
      }),
    )
  })
})
