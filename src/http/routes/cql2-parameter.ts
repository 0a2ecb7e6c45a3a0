import { problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import type { Parameters } from '../request/parameters.ts'

/** Reads `filter` in the language of `filter-lang`. */
export function readCql2Parameter(parameters: Parameters): Filter['cql2'] | undefined {
  const language = parameters.text('filter-lang')?.toLowerCase() ?? 'cql2-text'
  if (language !== 'cql2-text' && language !== 'cql2-json') {
    throw problem('INVALID_PARAMETER', {
      parameter: 'filter-lang',
      value: language,
      reason: 'must be cql2-text or cql2-json',
    })
  }
  const text = parameters.text('filter')
  return text === undefined || language === 'cql2-text' ? text : readCql2Json(text)
}

function readCql2Json(text: string): NonNullable<Filter['cql2']> {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('INVALID_FILTER', { parameter: 'filter', value: text, reason: 'must be JSON for cql2-json' })
  }
}
