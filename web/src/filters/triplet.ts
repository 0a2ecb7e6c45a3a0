/** One condition of the filter language: `field:operator:value`. */
export interface Triplet {
  readonly field: string
  readonly op: string
  readonly value: string
}

export const operators = [
  'eq',
  'ne',
  'like',
  'gte',
  'gt',
  'lte',
  'lt',
  'range',
  'within',
  'notwithin',
  'intersects',
  'notintersects',
] as const

/** Parses the conditions of one `f`, combined with OR; undefined if the text is not valid yet. */
export function parseGroup(text: string): readonly Triplet[] | undefined {
  const triplets = splitUnescaped(text, ';')
    .filter((piece) => piece.trim() !== '')
    .map(parseTriplet)
  if (triplets.length === 0) return undefined
  return triplets.every((triplet) => triplet !== undefined) ? triplets : undefined
}

function parseTriplet(piece: string): Triplet | undefined {
  const first = piece.indexOf(':')
  const second = piece.indexOf(':', first + 1)
  if (first < 1 || second < 0) return undefined
  const [field, op] = [piece.slice(0, first), piece.slice(first + 1, second).toLowerCase()]
  const value = piece.slice(second + 1).replaceAll('\\;', ';')
  return op === '' || value === '' ? undefined : { field, op, value }
}

export const printTriplet = ({ field, op, value }: Triplet): string => `${field}:${op}:${value.replaceAll(';', '\\;')}`

export const printGroup = (triplets: readonly Triplet[]): string => triplets.map(printTriplet).join(';')

/** Parses the items of an `eq`, `ne` or `range` value. */
export const parseList = (value: string): readonly string[] =>
  splitUnescaped(value, ',').map((item) => item.replaceAll('\\,', ','))

export const printList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll(',', '\\,')).join(',')

/** Prints the `f` that restricts a field to some values. */
export const printChoice = (field: string, values: readonly string[]): string =>
  printTriplet({ field, op: 'eq', value: printList(values) })

export interface Bounds {
  readonly from: number
  readonly to: number
}

/** Parses a range with a single item and numeric ends. */
export function parseBounds(value: string): Bounds | undefined {
  const number = '(-?[0-9]+(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)'
  const found = new RegExp(`^[[\\]]${number}<${number}[[\\]]$`).exec(value)
  return found === null ? undefined : { from: Number(found[1]), to: Number(found[2]) }
}

const OPPOSITES: Readonly<Record<string, string>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'lte',
  gte: 'lt',
  lt: 'gte',
  lte: 'gt',
  within: 'notwithin',
  notwithin: 'within',
  intersects: 'notintersects',
  notintersects: 'intersects',
}

/** Returns the group with the inverse selection; undefined if one `f` cannot express it. */
export function negateGroup(text: string): string | undefined {
  const triplets = parseGroup(text)
  const [first, second] = triplets ?? []
  if (first === undefined) return undefined
  if (triplets?.length === 2 && second !== undefined) return negateOutside(first, second)
  if (triplets?.length !== 1) return undefined
  if (first.op === 'range') return negateRange(first)
  const op = OPPOSITES[first.op]
  return op === undefined ? undefined : printTriplet({ ...first, op })
}

/** `[a<b]` becomes: below a, or above b. */
function negateRange({ field, value }: Triplet): string | undefined {
  const found = /^([[\]])([^<,]+)<([^<,]+)([[\]])$/.exec(value)
  if (found === null) return undefined
  const [, open, from = '', to = '', close] = found
  return printGroup([
    { field, op: open === '[' ? 'lt' : 'lte', value: from },
    { field, op: close === ']' ? 'gt' : 'gte', value: to },
  ])
}

function negateOutside(below: Triplet, above: Triplet): string | undefined {
  if (below.field !== above.field || !below.op.startsWith('lt') || !above.op.startsWith('gt')) return undefined
  const open = below.op === 'lt' ? '[' : ']'
  const close = above.op === 'gt' ? ']' : '['
  return printTriplet({ field: below.field, op: 'range', value: `${open}${below.value}<${above.value}${close}` })
}

/** Splits at a character, unless it is escaped by a backslash. */
export function splitUnescaped(text: string, separator: string): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    if (character === '\\' && text[i + 1] === separator) {
      piece += character + separator
      i++
    } else if (character === separator) {
      pieces.push(piece)
      piece = ''
    } else piece += character
  }
  return [...pieces, piece]
}
