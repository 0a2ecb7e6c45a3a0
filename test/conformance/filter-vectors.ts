import { isImplemented, type Step, type Vector, type VectorFilter } from './vector.ts'

type Parameter = readonly [string, string]

const group = (members: readonly string[]): string => members.map((m) => m.replaceAll(';', '\\;')).join(';')

/** A Filter in body form as query parameters: one parameter per group, a literal `;` written `\;`. */
export function filterQuery(filter: VectorFilter): Parameter[] {
  return [
    ...(filter.f ?? []).map((g): Parameter => ['f', group(g.map((e) => `${e.field}:${e.op}:${e.value}`))]),
    ...(filter.q ?? []).map((g): Parameter => ['q', group(g)]),
    ...(filter.dateformat === undefined ? [] : [['dateformat', filter.dateformat] as const]),
    ...(filter.righthand === undefined ? [] : [['righthand', String(filter.righthand)] as const]),
  ]
}

/** The steps of a vector: those it lists, after those its `expand` stands for. */
export function stepsOf(vector: Vector): readonly Step[] {
  const own = vector.steps ?? []
  if (vector.expand === undefined) return own
  const filter = vector.filter ?? {}
  const path = `/explore/${vector.collection ?? (vector.fixture === undefined ? 'geodata' : '{{collection}}')}`
  const headers = vector.headers ?? {}
  const query = filterQuery(filter)
  const post = (expect: NonNullable<Step['expect']>): Step => ({
    method: 'POST',
    path: `${path}/_count`,
    headers,
    body: { filter },
    expect,
  })
  const get = (operation: string, expect: NonNullable<Step['expect']>, extra: readonly Parameter[] = []): Step => ({
    path: `${path}/${operation}`,
    query: [...query, ...extra],
    headers,
    expect,
  })
  if (vector.expand === 'filter-error') {
    const expect = {
      status: vector.status ?? 400,
      ...(vector.error === undefined ? {} : { error: vector.error }),
      ...(vector.message === undefined ? {} : { message: vector.message }),
    }
    return [get('_count', expect), post(expect), get('_search', expect), ...own]
  }
  const n = vector.n ?? Number.NaN
  const total = { at: '/totalnb', equals: n }
  const bucket =
    vector.bucket ?? (vector.fixture === undefined ? 'geohash:geo_params.centroid:interval-3' : 'term:id:size-1000')
  const buckets = n <= 10_000 ? [{ at: '/elements', length: n }] : []
  const partition = { 'partition-filter': JSON.stringify(filter) }
  return [
    get('_count', { json: [total] }),
    post({ json: [total] }),
    ...(isImplemented('access-headers')
      ? [{ path: `${path}/_count`, headers: { ...headers, ...partition }, expect: { json: [total] } }]
      : []),
    get('_search', { json: [total, { at: '/hits', length: Math.min(10, n) }] }),
    ...(isImplemented('aggregations') ? [get('_aggregate', { json: [total, ...buckets] }, [['agg', bucket]])] : []),
    ...own,
  ]
}
