import { describe, expect, test } from 'vitest'
import {
  borderExamples,
  furtherExamples,
  righthandExamples,
  workedExamples,
} from '../../../test/conformance/examples/worked-examples.ts'
import type { Filter } from '../../model/filter.ts'
import { holds } from '../evaluate/evaluate.fixture.ts'
import { filterContext, plainView, sampleDocuments } from '../request/sample-collection.fixture.ts'
import { resolveFilter } from './filter-resolver.ts'
import { parseTriplets } from './triplets.ts'

const documents = sampleDocuments()

/** Parses `f=...&f=...&q=...&dateformat=...` as printed in the specification, decoded. */
function filterOf(query: string): Filter {
  const parameters =
    query === '' ? [] : query.split('&').map((p) => [p.slice(0, p.indexOf('=')), p.slice(p.indexOf('=') + 1)])
  const all = (name: string): string[] => parameters.filter(([n]) => n === name).map(([, v]) => v ?? '')
  const [dateformat] = all('dateformat')
  const [righthand] = all('righthand')
  return {
    ...parseTriplets(all('f'), all('q')),
    ...(dateformat === undefined ? {} : { dateformat }),
    ...(righthand === undefined ? {} : { righthand: righthand === 'true' }),
  }
}

const count = (query: string): number => {
  const predicate = resolveFilter(filterOf(query), filterContext(plainView, 'f'))
  return documents.filter((d) => holds(predicate, d)).length
}

const examples = [...workedExamples, ...furtherExamples, ...righthandExamples, ...borderExamples]

/**
 * The same table runs over HTTP on every engine. Here the predicate is evaluated directly, to distinguish an error of
 * the language from one of an engine.
 */
describe('worked examples (spec 3.12)', () => {
  test.each(examples)('%s gives %s', (query, outcome) => {
    if (typeof outcome === 'number') expect(count(query)).toBe(outcome)
    else expect(() => count(query)).toThrow(expect.objectContaining({ code: outcome.split(' ')[1] }))
  })
})
