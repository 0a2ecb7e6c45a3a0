import { readFileSync } from 'node:fs'

/** One request with its expected response; the files `vectors/*.json` contain them by topic. */
export interface Vector {
  readonly id: string
  readonly title: string
  /** The rule that the expectation is based on, if it is not obvious. */
  readonly ruling?: string
  readonly tags?: readonly string[]
  readonly needs?: string | readonly string[]
  readonly fixture?: FixtureName | { readonly kind: FixtureName; readonly params: Readonly<Record<string, unknown>> }
  readonly steps?: readonly Step[]
  readonly expand?: 'filter' | 'filter-error'
  readonly collection?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly filter?: VectorFilter
  readonly n?: number
  readonly bucket?: string
  readonly status?: number
  readonly error?: string
  readonly message?: string
}

/** `copy`: a private copy of the 595 documents; `edge`: the small set. */
type FixtureName = 'copy' | 'edge'

export interface VectorFilter {
  readonly f?: readonly (readonly { readonly field: string; readonly op: string; readonly value: string }[])[]
  readonly q?: readonly (readonly string[])[]
  readonly dateformat?: string
  readonly righthand?: boolean
}

export interface Step {
  readonly method?: string
  readonly path?: string
  readonly url?: string
  readonly target?: 'ingest'
  readonly query?: readonly (readonly [string, string])[]
  readonly rawQuery?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string
  readonly form?: Readonly<Record<string, unknown>>
  readonly wait?: boolean | number
  readonly save?: Readonly<Record<string, string | { readonly header: string }>>
  readonly load?: 'reload'
  readonly pause?: number
  /** Expectation on everything received at `{{callback}}` so far. */
  readonly callbacks?: CallbackExpectation
  readonly expect?: Expectation
}

export interface CallbackExpectation {
  readonly count?: number
  /** Assertions on the array of bodies. */
  readonly json?: readonly Assertion[]
  /** Assertions on each notification. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Expectation {
  readonly status?: number | readonly number[]
  readonly headers?: Readonly<Record<string, string | null>>
  readonly error?: string
  readonly message?: string
  readonly json?: readonly Assertion[]
  readonly text?: string | readonly string[]
  readonly notText?: string | readonly string[]
  readonly count?: Readonly<Record<string, number>>
  readonly png?: { readonly width: number; readonly height: number }
  /** Patterns of file names that a zip must and must not contain, and the number of shapes in all its layers. */
  readonly zip?: { readonly names?: readonly string[]; readonly absent?: readonly string[]; readonly records?: number }
}

export type Assertion = { readonly at: string; readonly of?: string; readonly within?: number } & Readonly<
  Record<string, unknown>
>

/** Topics that need only the server; `subscription-vectors.test.ts` runs the others. */
export const implementedTopics = [
  'filters',
  'ranges-and-text',
  'geo',
  'search-and-paging',
  'projection',
  'count-describe',
  'collections',
  'errors',
  'aggregations',
  'aggregation-errors',
  'geoaggregations',
  'compute',
  'files-and-tiles',
  'access-headers',
  'tagging',
  'more-exploration',
] as const

export const isImplemented = (topic: string): boolean => implementedTopics.some((t) => t === topic)

export function readVectors(topic: string): readonly Vector[] {
  const file = new URL(`./vectors/${topic}.json`, import.meta.url)
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(parsed)) throw new Error(`${topic}.json must be an array of vectors`)
  return parsed.map((v: Vector) => {
    if (typeof v.id !== 'string' || typeof v.title !== 'string') throw new Error(`${topic}.json: id and title missing`)
    return v
  })
}
