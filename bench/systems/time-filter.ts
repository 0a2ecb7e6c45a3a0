import type { Draw, HttpCall, Question, SearchBody, TimeRange } from '../questions/question.ts'

/** Date field of every dataset. */
export const TIME_FIELD = 'seen'

/** Returns the time filter a question is asked with. */
export const timeOf = ({ ignoresTime }: Question, { time }: Draw): TimeRange | undefined =>
  ignoresTime === true ? undefined : time

/** Adds a time filter to a Periplus request: one more parameter of a GET, one more group of the filter of a body. */
export function withTime(call: HttpCall, time: TimeRange | undefined): HttpCall {
  if (time === undefined) return call
  const value = `[${time.from}<${time.to}]`
  if (call.method === 'POST') {
    return { ...call, body: withGroup(call.body, [{ field: TIME_FIELD, op: 'range', value }]) }
  }
  const separator = call.path.includes('?') ? '&' : '?'
  return { ...call, path: `${call.path}${separator}f=${encodeURIComponent(`${TIME_FIELD}:range:${value}`)}` }
}

interface FilteredBody {
  readonly filter?: { readonly f?: readonly unknown[] }
}

function withGroup(body: unknown, group: readonly unknown[]): unknown {
  const asked: FilteredBody = typeof body === 'object' && body !== null ? body : {}
  return { ...asked, filter: { ...asked.filter, f: [...(asked.filter?.f ?? []), group] } }
}

/** Adds a time filter to an OpenSearch body. The query stays a `must`, so that hits keep their scores. */
export function withTimeBody(body: SearchBody, time: TimeRange | undefined): SearchBody {
  if (time === undefined) return body
  const filter = [{ range: { [TIME_FIELD]: { gte: time.from, lte: time.to } } }]
  return { ...body, query: { bool: { ...(body.query === undefined ? {} : { must: [body.query] }), filter } } }
}
