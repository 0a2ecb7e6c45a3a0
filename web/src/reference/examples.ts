import { bodyOf, LOADED, OWN } from './example-bodies.ts'
import type { Parameter } from './openapi.ts'
import type { NamedOperation } from './operations.ts'
import type { Sample } from './sample.ts'

/** Identifiers in responses of earlier requests. */
export interface Known {
  readonly subscription?: string
  readonly delivery?: string
  readonly tag?: string
  readonly event?: string
}

/** What a form is filled with. */
export interface Example {
  /** Values by parameter; those of repeatable parameters one per line. */
  readonly values: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly text: string }
}

/** A request that runs on this server: it is about documents that exist, and changes only what examples created. */
export function exampleOf(operation: NamedOperation, sample: Sample | undefined, known: Known): Example {
  const given = new Set(operation.parameters.map(({ name }) => name))
  const all = { ...queryValues(operation, sample), ...pathValues(operation, sample, known) }
  const values = Object.fromEntries(Object.entries(all).filter(([name, value]) => given.has(name) && value !== ''))
  const body = bodyOf(operation, sample)
  return { values, ...(body === undefined ? {} : { body }) }
}

function pathValues(
  { method, path }: NamedOperation,
  sample: Sample | undefined,
  known: Known,
): Record<string, string> {
  const isOwn =
    /^\/(status|events)\//.test(path) ||
    (method !== 'get' && !/^\/(explore|stac)\/|\/_(search|count|refresh)$/.test(path))
  const place = sample?.place ?? [0, 0]
  const { z, x, y } = tileAt(place, 2)
  const collection = isOwn ? OWN : (sample?.collection ?? '')
  return {
    collection: path.startsWith('/load') ? 'false' : collection,
    collections: collection,
    file: 'harbours.csv',
    index: isOwn ? OWN : (sample?.index ?? ''),
    identifier: sample?.identifier ?? '',
    ...{ z, x, y },
    ...{ tileMatrix: z, tileCol: x, tileRow: y },
    geohash: geohashAt(place),
    id: identifierOf(path, isOwn, sample, known),
    deliveryId: known.delivery ?? '',
  }
}

function identifierOf(path: string, isOwn: boolean, sample: Sample | undefined, known: Known): string {
  if (path.startsWith('/index/')) return isOwn ? 'a' : (sample?.identifier ?? '')
  if (path.startsWith('/status/')) return known.tag ?? ''
  if (path.startsWith('/events/')) return known.event ?? ''
  return known.subscription ?? ''
}

function queryValues({ path, method }: NamedOperation, sample: Sample | undefined): Record<string, string> {
  if (path.endsWith('/_tagreplay')) return { offset: '0' }
  if (path.startsWith('/load')) return { name: LOADED, [method === 'put' ? 'append' : 'replace']: 'true' }
  if (path.endsWith('/_replace')) return { by: LOADED }
  if (method !== 'get' || sample === undefined) return {}
  const { number, term, centroidPath, datePath } = sample
  const suggests = path.endsWith('/_suggest')
  const onGrid = /_(geo|shape)aggregate/.test(path)
  return {
    ...(/\/(items|_search|_geosearch)$/.test(path) ? { limit: '3', size: '3' } : {}),
    ...(/_(search|count|aggregate)$/.test(path) && number !== undefined ? { f: atLeast(number) } : {}),
    ...(path.endsWith('_mvt') || path.includes('/_mvt/')
      ? {}
      : { agg: onGrid ? gridOf(centroidPath) : bucketsOf(sample) }),
    field: suggests ? (term?.path ?? '') : (number?.path ?? datePath),
    metric: 'avg',
    ...(suggests ? { q: term?.value.slice(0, 2) ?? '' } : {}),
  }
}

const atLeast = ({ path, value }: NonNullable<Sample['number']>): string => `${path}:gte:${value}`
const gridOf = (centroidPath: string): string => `geotile:${centroidPath}:interval-4:aggregated_geometries-cell`
const bucketsOf = ({ term, datePath }: Sample): string =>
  term === undefined ? `datehistogram:${datePath}:interval-1day` : `term:${term.path}:size-5`

/** Shown in an empty field: a value of its form, from this server if possible. */
export function hintOf({ name, example }: Parameter, sample: Sample | undefined): string {
  const hints: Readonly<Record<string, string | undefined>> =
    sample === undefined
      ? {}
      : {
          f: sample.number === undefined ? undefined : atLeast(sample.number),
          q: sample.term?.value,
          filter: sample.number === undefined ? undefined : `${sample.number.path} >= ${sample.number.value}`,
          include: sample.number?.path,
          sort: `-${sample.datePath}`,
          agg: gridOf(sample.centroidPath),
        }
  return hints[name] ?? (sample === undefined && example !== undefined ? [example].flat().join('; ') : '')
}

/** Where responses name an identifier: the first of a list, or a member. */
const NAMED: readonly (readonly [path: RegExp, name: keyof Known, members: readonly string[]])[] = [
  [/\/subscriptions$/, 'subscription', ['subscriptions', 'id']],
  [/\/(deliveries|_test)$/, 'delivery', ['deliveries', 'id']],
  [/\/(_tag|_untag|_taglist)$/, 'tag', ['id']],
  [/^\/events$/, 'event', ['ids']],
]

/** Keeps the identifiers in a response for the examples of operations that need them. */
export function learnedFrom({ path, method }: NamedOperation, answer: unknown, known: Known): Known {
  const [, name, members = []] = NAMED.find(([pattern]) => pattern.test(path)) ?? []
  const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
  const value = members.reduce((level, member) => {
    const record = Object(level) as Readonly<Record<string, unknown>>
    return first(member in record ? record[member] : level)
  }, first(answer))
  if (name === undefined || typeof value !== 'string') return known
  // what was just made rather than the first of a list
  return method === 'get' && known[name] !== undefined ? known : { ...known, [name]: value }
}

function tileAt([longitude, latitude]: Sample['place'], zoom: number): Record<'z' | 'x' | 'y', string> {
  const size = 2 ** zoom
  const within = (part: number): string => String(Math.min(size - 1, Math.max(0, Math.floor(part * size))))
  const sine = Math.sin((latitude * Math.PI) / 180)
  const down = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return { z: String(zoom), x: within((longitude + 180) / 360), y: within(down) }
}

/** The first character of the geohash: five bits, longitude and latitude in turn. */
function geohashAt([longitude, latitude]: Sample['place']): string {
  const east = Math.min(7, Math.floor((longitude + 180) / 45))
  const north = Math.min(3, Math.floor((latitude + 90) / 45))
  const bits = [east >> 2, north >> 1, (east >> 1) & 1, north & 1, east & 1]
  return '0123456789bcdefghjkmnpqrstuvwxyz'.charAt(bits.reduce((sum, bit) => sum * 2 + bit, 0))
}
