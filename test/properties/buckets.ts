import { must, withQuery } from '../support/http-client.ts'
import type { ExpectedBucket, ExpectedLevel } from './oracle/aggregate.ts'

type Parameters = readonly (readonly [string, string | number | boolean])[]

/** A bucket of a response. */
export interface Bucket extends ExpectedBucket {
  readonly key: string | number | { readonly lat: number; readonly lon: number }
  readonly key_as_string: string
  readonly elements?: readonly [Level]
}

interface Level extends ExpectedLevel {
  readonly elements: readonly Bucket[]
}

export interface Feature {
  readonly geometry: unknown
  readonly properties: Readonly<Record<string, unknown>> & { readonly count: number }
}

/** Sends a request to one collection of one server. It must succeed. */
interface Asker {
  readonly aggregate: (
    aggs: readonly string[],
    more?: Parameters,
  ) => Promise<Level & { readonly totalnb: number; readonly sumotherdoccounts: number }>
  readonly features: (path: string, aggs: readonly string[], more?: Parameters) => Promise<readonly Feature[]>
  readonly compute: (field: string, metric: string, more?: Parameters) => Promise<Computed>
  readonly suggest: (more: Parameters) => Promise<readonly Suggestion[]>
}

interface Computed {
  readonly totalnb: number
  readonly value?: number
  readonly geometry?: unknown
}

interface Suggestion {
  readonly field: string
  readonly text: string
  readonly count: number
  readonly collection: string
}

export function asker(base: () => string, collection: string): Asker {
  const get = (path: string, parameters: Parameters): Promise<unknown> =>
    must(base(), { path: withQuery(`/explore/${collection}/${path}`, parameters) })
  const withAggs = (aggs: readonly string[], more: Parameters): Parameters => [
    ...aggs.map((a) => ['agg', a] as const),
    ...more,
  ]
  return {
    aggregate: async (aggs, more = []) => (await get('_aggregate', withAggs(aggs, more))) as never,
    features: async (path, aggs, more = []) => {
      const answer = await get(`_geoaggregate${path}`, withAggs(aggs, more))
      return (answer as { readonly features: readonly Feature[] }).features
    },
    compute: async (field, metric, more = []) =>
      (await get('_compute', [['field', field], ['metric', metric], ...more])) as Computed,
    suggest: async (more) => {
      const answer = await get('_suggest', more)
      return (answer as { readonly suggestions: readonly Suggestion[] }).suggestions
    },
  }
}

export const sumOfCounts = (list: readonly { readonly count: number }[]): number =>
  list.reduce((sum, b) => sum + b.count, 0)
