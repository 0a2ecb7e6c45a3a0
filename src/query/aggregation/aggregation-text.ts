import type { Metric } from '../../model/aggregation.ts'
import { type AggregationDraft, type IntervalDraft, readFieldName, readType } from './aggregation-draft.ts'
import { aggregationFault } from './aggregation-fault.ts'

const partNames = [
  'interval',
  'format',
  'collect_field',
  'collect_fct',
  'order',
  'on',
  'size',
  'include',
  'raw_geometries',
  'aggregated_geometries',
  'fetch_hits',
  'fetch_geometry',
] as const
type PartName = (typeof partNames)[number]

interface Part {
  readonly name: PartName
  readonly text: string
  /** Including the prefix; for messages. */
  readonly piece: string
}

/** Parses a GET `agg` (spec 1.1). `position` is its position in the request, from 1. */
export function parseAggregationText(text: string, position: number): AggregationDraft {
  const [first, second, ...later] = text.split(':')
  const type = readType(first, position)
  const isFieldLeftOut = type === 'datehistogram' && second !== undefined && openedBy(second) !== undefined
  const field = readFieldName(isFieldLeftOut ? undefined : second, type, position)
  const parts = cutParts(isFieldLeftOut ? [second, ...later] : later, position)
  const single = readSingles(parts, position)
  const interval = single.get('interval')
  return {
    position,
    type,
    field,
    interval: interval === undefined ? undefined : intervalOfText(interval),
    format: single.get('format'),
    metrics: pairCollects(parts),
    order: single.get('order'),
    on: single.get('on'),
    size: single.get('size'),
    include: single.get('include'),
    rawGeometries: single.get('raw_geometries'),
    aggregatedGeometries: single.get('aggregated_geometries'),
    fetchHits: single.get('fetch_hits'),
    fetchGeometry: single.get('fetch_geometry'),
  }
}

function openedBy(piece: string): PartName | undefined {
  const start = piece.trimStart()
  if (start.trimEnd() === ALONE) return ALONE
  return partNames.find((name) => start.startsWith(`${name}-`))
}

/** The only part that may be given without a value. */
const ALONE = 'fetch_geometry'

/** A piece without a known prefix continues the part before it, so patterns may contain colons. */
function cutParts(pieces: readonly string[], position: number): readonly Part[] {
  const cut: { name: PartName; piece: string }[] = []
  for (const piece of pieces) {
    const name = openedBy(piece)
    const last = cut.at(-1)
    if (name !== undefined) cut.push({ name, piece: piece.trimStart() })
    else if (last !== undefined && last.piece.trimEnd() !== ALONE) last.piece += `:${piece}`
    else
      throw aggregationFault(
        position,
        'agg',
        `must have a known part (${partNames.slice(0, -1).join('-, ')}-) after its field`,
        piece,
      )
  }
  return cut.map(({ name, piece }) => ({ name, piece, text: piece.slice(name.length + 1).trim() }))
}

/** Returns all parts except the collect ones, which alone may be repeated. */
function readSingles(parts: readonly Part[], position: number): ReadonlyMap<PartName, string> {
  const single = new Map<PartName, string>()
  for (const { name, text, piece } of parts) {
    if (text === '' && piece.trimEnd() !== ALONE) throw aggregationFault(position, name, 'must not be empty', piece)
    if (isCollect(name)) continue
    if (single.has(name)) throw aggregationFault(position, name, 'must not be given twice', piece)
    single.set(name, text)
  }
  return single
}

const isCollect = (name: PartName): boolean => name === 'collect_field' || name === 'collect_fct'

/** `2day`: the trailing letters are the unit. `1e3` has none, since a digit follows the `e`. */
function intervalOfText(written: string): IntervalDraft {
  let end = written.length
  while (end > 0 && /[A-Za-z]/.test(written.charAt(end - 1))) end--
  return { value: written.slice(0, end), unit: written.slice(end), written }
}

/**
 * Pairs fields and functions by their positions (spec 1.3), in the order of the functions; the others stay unpaired.
 */
function pairCollects(parts: readonly Part[]): readonly Metric[] {
  const collects = parts.filter(({ name }) => isCollect(name))
  const fields = collects.flatMap((part, at) => (part.name === 'collect_field' ? [at] : []))
  const functions = collects.flatMap((part, at) => (part.name === 'collect_fct' ? [at] : []))
  const fieldOf = fields.length < functions.length ? pairNeighbours(fields, functions) : pairInOrder(fields, functions)
  const paired = new Set(fieldOf.values())
  const text = (at: number): string => collects[at]?.text ?? ''
  return [
    ...functions.map((at): Metric => {
      const field = fieldOf.get(at)
      return { ...(field === undefined ? {} : { collect_field: text(field) }), collect_fct: text(at) }
    }),
    ...fields.filter((at) => !paired.has(at)).map((at): Metric => ({ collect_field: text(at) })),
  ]
}

type Pairs = ReadonlyMap<number, number>

function pairInOrder(fields: readonly number[], functions: readonly number[]): Pairs {
  return new Map(functions.flatMap((at, i) => (fields[i] === undefined ? [] : [[at, fields[i]]])))
}

/** Each field takes the function right after it, else the one right before it if still free. */
function pairNeighbours(fields: readonly number[], functions: readonly number[]): Pairs {
  const fieldOf = new Map<number, number>()
  for (const at of fields) {
    if (functions.includes(at + 1)) fieldOf.set(at + 1, at)
    else if (functions.includes(at - 1) && !fieldOf.has(at - 1)) fieldOf.set(at - 1, at)
  }
  return fieldOf
}
