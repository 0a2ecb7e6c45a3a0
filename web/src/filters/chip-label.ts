import type { CollectionField } from '../api/collection-fields.ts'
import { formatMoment, formatSpan } from '../format/dates.ts'
import { formatFigure } from '../format/numbers.ts'
import type { Chip } from './chip.ts'
import { parseBounds, parseGroup, parseList, type Triplet } from './triplet.ts'

const SIGNS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  like: 'is like',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  within: 'within',
  notwithin: 'not within',
  intersects: 'intersects',
  notintersects: 'does not intersect',
}

/** Returns the readable label of a chip. The text of the chip stays authoritative and is shown in the editor. */
export function chipLabel({ kind, text }: Chip, fields: readonly CollectionField[], timestamp?: string): string {
  if (kind === 'q') return `“${text}”`
  const triplets = parseGroup(text)
  if (triplets === undefined) return text
  return triplets.map((triplet) => tripletLabel(triplet, fields, timestamp)).join(' or ')
}

function tripletLabel({ field, op, value }: Triplet, fields: readonly CollectionField[], timestamp?: string): string {
  const path = field === '$timestamp' && timestamp !== undefined ? timestamp : field
  const known = fields.find((one) => one.path === path)
  const name = known?.name ?? field
  const isDate = known?.type === 'DATE'
  if (op === 'range') return `${name}: ${rangeLabel(value, isDate)}`
  const sign = SIGNS[op] ?? op
  if (op.endsWith('within') || op.endsWith('intersects')) return `${name} ${sign} ${areaLabel(value)}`
  if (op === 'eq' || op === 'ne') return `${name} ${sign} ${listLabel(parseList(value))}`
  return `${name} ${sign} ${isDate && /^-?\d+$/.test(value) ? formatMoment(Number(value)) : value}`
}

function rangeLabel(value: string, isDate: boolean): string {
  const bounds = parseBounds(value)
  if (bounds === undefined) return value
  return isDate ? formatSpan(bounds.from, bounds.to) : `${formatFigure(bounds.from)} – ${formatFigure(bounds.to)}`
}

const areaLabel = (value: string): string => {
  const word = /^\s*([a-z]+)/i.exec(value)?.[1]?.toLowerCase()
  return word === undefined ? 'a box' : `a ${word}`
}

const listLabel = (items: readonly string[]): string =>
  items.length <= 3 ? items.join(', ') : `${items.slice(0, 2).join(', ')} and ${items.length - 2} more`
