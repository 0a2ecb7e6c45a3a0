import { printWkt } from '../../geo/wkt.ts'
import type { Json } from '../../model/json/document.ts'
import type { Cql2 } from './expression.ts'

/** Prints the text form of an expression; parsing it gives the same expression. */
export function printCql2Text(node: Cql2): string {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.members.map((member) => inBrackets(member)).join(node.kind === 'and' ? ' AND ' : ' OR ')
    case 'not':
      return `NOT ${inBrackets(node.member)}`
    case 'comparison':
      return `${inBrackets(node.left)} ${node.op} ${inBrackets(node.right)}`
    case 'like':
      return `${inBrackets(node.value)} LIKE ${inBrackets(node.pattern)}`
    case 'between':
      return `${inBrackets(node.value)} BETWEEN ${inBrackets(node.lower)} AND ${inBrackets(node.upper)}`
    case 'in':
      return `${inBrackets(node.value)} IN (${listed(node.list)})`
    case 'isNull':
      return `${inBrackets(node.value)} IS NULL`
    case 'spatial':
    case 'temporal':
    case 'array':
      return `${node.relation.toUpperCase()}(${listed(node.args)})`
    case 'casei':
      return `CASEI(${printCql2Text(node.value)})`
    case 'property':
      return `"${node.name.replaceAll('"', '""')}"`
    case 'text':
      return quoted(node.value)
    case 'number':
      return node.value
    case 'boolean':
      return node.value ? 'TRUE' : 'FALSE'
    case 'date':
      return `DATE(${quoted(node.value)})`
    case 'timestamp':
      return `TIMESTAMP(${quoted(node.value)})`
    case 'interval':
      return `INTERVAL(${printCql2Text(node.from)}, ${printCql2Text(node.to)})`
    case 'list':
      return `(${listed(node.items)})`
    case 'geometry':
      return printWkt(node.geometry)
    case 'bbox':
      return `BBOX(${node.bounds.join(', ')})`
  }
}

/** A quote after a backslash is not doubled, because the backslash and the quote would be read as one quote. */
const quoted = (text: string): string => {
  const escaped = text
    .split('')
    .map((character, i) => (character !== "'" ? character : text[i - 1] === '\\' ? "\\'" : "''"))
  return `'${escaped.join('')}'`
}
const listed = (nodes: readonly Cql2[]): string => nodes.map(printCql2Text).join(', ')

const SIMPLE: ReadonlySet<Cql2['kind']> = new Set([
  'spatial',
  'temporal',
  'array',
  'casei',
  'property',
  'text',
  'number',
  'boolean',
  'date',
  'timestamp',
  'interval',
  'list',
  'geometry',
  'bbox',
])

const inBrackets = (node: Cql2): string => (SIMPLE.has(node.kind) ? printCql2Text(node) : `(${printCql2Text(node)})`)

/** Prints the JSON form of an expression. */
export function printCql2Json(node: Cql2): Json {
  const op = (name: string, args: readonly Cql2[]): Json => ({ op: name, args: args.map(printCql2Json) })
  switch (node.kind) {
    case 'and':
    case 'or':
      return op(node.kind, node.members)
    case 'not':
      return op('not', [node.member])
    case 'comparison':
      return op(node.op, [node.left, node.right])
    case 'like':
      return op('like', [node.value, node.pattern])
    case 'between':
      return op('between', [node.value, node.lower, node.upper])
    case 'in':
      return { op: 'in', args: [printCql2Json(node.value), node.list.map(printCql2Json)] }
    case 'isNull':
      return op('isNull', [node.value])
    case 'casei':
      return op('casei', [node.value])
    case 'spatial':
    case 'temporal':
    case 'array':
      return op(node.relation, node.args)
    case 'property':
      return { property: node.name }
    case 'text':
    case 'boolean':
      return node.value
    case 'number':
      return Number(node.value)
    case 'date':
      return { date: node.value }
    case 'timestamp':
      return { timestamp: node.value }
    case 'interval':
      return { interval: [printCql2Json(node.from), printCql2Json(node.to)] }
    case 'list':
      return node.items.map(printCql2Json)
    case 'geometry':
      return node.geometry
    case 'bbox':
      return { bbox: node.bounds }
  }
}
