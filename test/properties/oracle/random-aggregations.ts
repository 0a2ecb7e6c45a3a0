import fc from 'fast-check'
import { type Asked, type Couple, type GridType, isGrid, isNumeric, type RawAsked } from './aggregation-request.ts'
import { calendarUnits, datePrinters, type PrintedPattern } from './date-buckets.ts'
import { decimal, integer, keyword } from './documents.ts'
import { type Scalar, scalarField } from './fields.ts'
import { geoFunctions } from './metrics.ts'

const numberFields = ['n', 'big', 'x', 'half', 'seen', 'day', 'at', 'nowhere'] as const
const termFields = [
  'kw',
  'kw',
  'deep.kw',
  'n',
  'big',
  'x',
  'half',
  'flag',
  'ip',
  'seen',
  'day',
  'id',
  'nowhere',
] as const

const geoCouple: fc.Arbitrary<Couple> = fc.record(
  { fct: fc.constantFrom(...geoFunctions), field: fc.constantFrom('where', 'spot', 'area') },
  { requiredKeys: ['fct'] },
)
const numberCouple: fc.Arbitrary<Couple> = fc.oneof(
  fc.record({ fct: fc.constantFrom('avg', 'sum', 'min', 'max'), field: fc.constantFrom(...numberFields) }),
  fc.record({ fct: fc.constant('cardinality' as const), field: fc.constantFrom(...termFields) }),
)
/** A function without field may equal a pair with the field, so there is at most one of each. */
const couples = fc.uniqueArray(fc.oneof({ weight: 3, arbitrary: numberCouple }, geoCouple), {
  maxLength: 3,
  selector: (c) => (isNumeric(c) ? `${c.fct} ${c.field}` : c.fct),
})

const sortItem = fc
  .tuple(fc.constantFrom('', '+', '-'), fc.constantFrom('n', 'x', 'kw', 'seen', 'flag', 'big', '$timestamp', 'deep.kw'))
  .map((parts) => parts.join(''))
const raw: fc.Arbitrary<RawAsked> = fc.record(
  {
    geometry: fc.constantFrom('where', 'area', 'spot'),
    sort: fc.array(sortItem, { minLength: 1, maxLength: 2 }).map((items) => items.join(',')),
  },
  { requiredKeys: ['geometry'] },
)
const hits: fc.Arbitrary<NonNullable<Asked['hits']>> = fc.record(
  {
    size: fc.integer({ min: 1, max: 3 }),
    include: fc.uniqueArray(
      fc.oneof(
        sortItem.filter((i) => !i.includes('$')),
        fc.constantFrom('id', 'where', 'area', 'deep', 'text', 'ip'),
      ),
      { maxLength: 3, selector: (i) => i.replace(/^[+-]/, '') },
    ),
  },
  { requiredKeys: ['include'] },
)

/** Patterns with the same meaning in JavaScript, anchored at both ends. */
const patterns = [
  'a',
  'a.*',
  '.',
  '.*b',
  '[a-b]+',
  '(a|1).*',
  '\\w+',
  '[^a].*',
  'Ab?c?',
  '\\d|-1',
  'a[,;:]b',
  '\u{1f600}?',
]

/** Lists are split at commas and trimmed, and a value that ends with a backslash cannot be sent. */
const listed = keyword.filter((k) => k.trim() === k && !k.endsWith('\\'))

function include(field: string): fc.Arbitrary<NonNullable<Asked['include']>> {
  const exact = (list: readonly Scalar[], texts: readonly string[]): NonNullable<Asked['include']> => ({
    text: texts.map((t) => t.replaceAll(',', '\\,')).join(','),
    keeps: (term) => list.includes(term),
  })
  const known = scalarField(field)
  if (known?.type === 'integer' || known?.type === 'floating') {
    const number = known.type === 'integer' ? integer : decimal
    return fc.array(number, { minLength: 1, maxLength: 3 }).map((list) => exact(list, list.map(String)))
  }
  if (known?.type === 'boolean') return fc.boolean().map((b) => exact([b], [String(b)]))
  const several = fc.array(listed, { minLength: 2, maxLength: 4 }).map((list) => exact(list, list))
  const pattern = fc.constantFrom(...patterns).map((text) => {
    const compiled = new RegExp(`^(?:${text})$`, 'su')
    return { text: text.replaceAll(',', '\\,'), keeps: (term: Scalar) => compiled.test(String(term)) }
  })
  return fc.oneof(several, pattern)
}

type Order = NonNullable<Asked['order']>

/** Sums of fractions differ in their last digits, so they have no defined order. */
const isExact = (c: Couple | undefined): boolean =>
  c !== undefined && (c.field !== 'x' || ['min', 'max', 'cardinality'].includes(c.fct))

function order(list: readonly Couple[]): fc.Arbitrary<Order | undefined> {
  const on: Order['on'][] = isExact(list.find(isNumeric)) ? ['field', 'count', 'result', 'result'] : ['field', 'count']
  const given = fc.record({ direction: fc.constantFrom('asc', 'desc'), on: fc.constantFrom(...on) })
  return fc.option(given, { nil: undefined })
}

const size = fc.option(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1000)), { nil: undefined })

interface Extras {
  readonly couples: readonly Couple[]
  readonly raw: readonly RawAsked[]
  readonly hits: Asked['hits'] | undefined
}
const extras: fc.Arbitrary<Extras> = fc.record({
  couples: fc.oneof(fc.constant([]), couples),
  raw: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(raw, { minLength: 1, maxLength: 2 })),
  hits: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, hits),
})

const words = ['bbox', 'centroid'] as const
const aggregated = (allowed: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.constantFrom(...allowed), { maxLength: 3 }))

type Shape = Pick<Asked, 'type'> & Partial<Asked>
const level = (shape: Shape, more: Extras, forms: readonly string[], rest: Partial<Asked> = {}): Asked => ({
  couples: more.couples,
  raw: more.raw,
  ...(more.hits === undefined ? {} : { hits: more.hits }),
  aggregated: forms,
  ...Object.fromEntries(Object.entries(rest).filter(([, v]) => v !== undefined)),
  ...shape,
})

const term: fc.Arbitrary<Asked> = fc.tuple(fc.constantFrom(...termFields), extras).chain(([field, more]) =>
  fc
    .record({
      order: order(more.couples),
      size,
      include: ['kw', 'deep.kw', 'n', 'x', 'flag', 'nowhere'].includes(field)
        ? fc.option(include(field), { nil: undefined, freq: 2 })
        : fc.constant(undefined),
      forms: aggregated(words),
    })
    .map(({ forms, ...rest }) => level({ type: 'term', field }, more, forms, rest as Partial<Asked>)),
)

/** Field and interval with a reasonable number of buckets; occasionally with too many. */
const numberSteps = fc.oneof(
  fc.tuple(fc.constantFrom('n', 'half', 'nowhere'), fc.constantFrom(1, 2, 0.5, 3, 0.3)),
  fc.tuple(fc.constant('x'), fc.constantFrom(1e20, 3e19, 1e21, 0.1)),
  fc.tuple(fc.constant('big'), fc.constantFrom(2 ** 32, 1e10)),
  fc.tuple(fc.constantFrom('seen', '$timestamp', 'day'), fc.constantFrom(86_400_000 * 30, 86_400_000.5 * 7, 1e10)),
  fc.tuple(fc.constant('at'), fc.constantFrom(60_000, 3_600_000)),
)
const histogram: fc.Arbitrary<Asked> = fc
  .tuple(numberSteps, extras)
  .chain(([[field, value], more]) =>
    fc
      .record({ order: order(more.couples), forms: aggregated(words) })
      .map(({ order: o, forms }) =>
        level({ type: 'histogram', field, interval: { value } }, more, forms, o === undefined ? {} : { order: o }),
      ),
  )

const dateSteps = fc.oneof(
  fc.tuple(fc.constantFrom('seen', undefined), fc.constantFrom(...calendarUnits), fc.constant(1)),
  fc.tuple(
    fc.constantFrom('seen', '$timestamp', 'nowhere'),
    fc.constant('day' as const),
    fc.constantFrom(1, 7, 30, 365),
  ),
  fc.tuple(fc.constant('day'), fc.constantFrom(...calendarUnits, 'day' as const), fc.constant(1)),
  fc.tuple(fc.constant('at'), fc.constantFrom('hour', 'minute', 'day', ...calendarUnits), fc.constant(1)),
  fc.tuple(fc.constant('at'), fc.constantFrom('hour', 'minute'), fc.constantFrom(2, 5, 12)),
  fc.tuple(fc.constantFrom('at', 'seen'), fc.constant('second' as const), fc.constantFrom(1, 30)),
)
const formats = Object.keys(datePrinters) as PrintedPattern[]
const dateHistogram: fc.Arbitrary<Asked> = fc.tuple(dateSteps, extras).chain(([[field, unit, value], more]) =>
  fc
    .record({
      order: order(more.couples),
      forms: aggregated(words),
      format: fc.option(fc.constantFrom(...formats), { nil: undefined }),
    })
    .map(({ forms, ...rest }) => {
      const named = field === undefined ? {} : { field }
      const shape = { type: 'datehistogram', ...named, interval: { value, unit } } as const
      return level(shape, more, forms, rest as Partial<Asked>)
    }),
)

const gridSteps: fc.Arbitrary<readonly [GridType, string, number]> = fc.oneof(
  fc.tuple(fc.constant('geohash' as const), fc.constantFrom('where', 'spot'), fc.integer({ min: 1, max: 12 })),
  fc.tuple(fc.constant('geotile' as const), fc.constantFrom('where', 'spot'), fc.integer({ min: 0, max: 29 })),
  fc.tuple(fc.constant('geohex' as const), fc.constantFrom('where', 'spot', 'area'), fc.integer({ min: 0, max: 15 })),
  fc.tuple(fc.constant('geohash' as const), fc.constant('area'), fc.integer({ min: 1, max: 3 })),
  fc.tuple(fc.constant('geotile' as const), fc.constant('area'), fc.integer({ min: 0, max: 7 })),
)
/** Only one of a cell and its alias. */
const cellWords = fc.constantFrom(['cell', 'cell_center'], ['geohash', 'geohash_center'], ['cell', 'geohash_center'])
const grid: fc.Arbitrary<Asked> = fc
  .tuple(gridSteps, extras, cellWords)
  .chain(([[type, field, value], more, cells]) =>
    fc
      .record({ size, forms: aggregated([...words, ...cells]) })
      .map(({ size: s, forms }) =>
        level({ type, field, interval: { value } }, more, forms, s === undefined ? {} : { size: s }),
      ),
  )

const anyAggregation: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 3, arbitrary: term },
  { weight: 2, arbitrary: histogram },
  { weight: 2, arbitrary: dateHistogram },
  { weight: 3, arbitrary: grid },
)

/** One to three nested aggregations; the inner ones are kept small. */
export const anyTree: fc.Arbitrary<readonly Asked[]> = fc
  .array(anyAggregation, { minLength: 1, maxLength: 3 })
  .map((levels) => levels.map((asked, i) => (i === 0 ? asked : { ...asked, ...narrowed(asked) })))

function narrowed({ type, field, size: kept = 5, interval, order: o }: Asked): Partial<Asked> {
  if (isGrid(type) || type === 'term') return { size: Math.min(kept, 5) }
  if (type === 'histogram') {
    const value = field === 'day' || field === 'at' ? 3_600_000 * 500 : 1e11
    return scalarField(field ?? '')?.type === 'date' ? { interval: { value } } : {}
  }
  const unit = field === 'at' ? 'hour' : field === 'day' ? 'month' : o === undefined ? 'year' : 'quarter'
  return interval?.unit === 'week' ? {} : { interval: { value: 1, unit } }
}
