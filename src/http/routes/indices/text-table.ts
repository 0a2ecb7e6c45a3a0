import type { FastifyReply, FastifyRequest } from 'fastify'
import { indexPatternsMeet } from '../../../engine/index-pattern.ts'
import { problem } from '../../../errors.ts'
import { sendJson } from '../../answer/send-json.ts'
import { preferredType } from '../../request/accept.ts'
import { readParameters } from '../../request/parameters.ts'
import { varyByAccept } from '../../request/response-format.ts'
import { jsonTypes } from './index-schemas.ts'

/** Tables of `_cat`, as Elasticsearch prints them. */

export interface Column<R> {
  readonly name: string
  /** Other names in `h` and `s`. */
  readonly aliases: readonly string[]
  /** Aligned to the right and sorted by value. */
  readonly isNumber?: true
  /** `bytes`: printed as `1.2kb`, or in the unit of the parameter `bytes`. */
  readonly of: (row: R) => string | { readonly bytes: number | undefined }
}

/** A column under the name it was asked for. */
interface Shown<R> {
  readonly title: string
  readonly column: Column<R>
}

const UNITS = ['b', 'kb', 'mb', 'gb', 'tb', 'pb'] as const

/** Sends rows as text, or as JSON if the parameter `format` or the Accept header asks for it. */
export async function sendTable<R>(
  request: FastifyRequest,
  reply: FastifyReply,
  columns: readonly Column<R>[],
  rows: readonly R[],
): Promise<FastifyReply> {
  varyByAccept(reply)
  const parameters = readParameters(request)
  parameters.boolean('pretty')
  const shown = shownColumns(columns, parameters.text('h'))
  const unit = readUnit(parameters.text('bytes'))
  const sorted = sortRows(columns, rows, parameters.text('s'))
  const cells = sorted.map((row) => shown.map(({ column }) => printCell(column.of(row), unit)))
  if (wantsJson(request)) {
    const records = cells.map((line) => Object.fromEntries(shown.map(({ title }, at) => [title, line[at] ?? ''])))
    return sendJson(request, reply, records, { tag: 'none' })
  }
  const hasTitles = parameters.names().includes('v') && parameters.boolean('v') !== false
  const lines = hasTitles ? [shown.map(({ title }) => title), ...cells] : cells
  const aligned = shown.map(({ column }) => column.isNumber === true)
  return reply.header('content-type', 'text/plain; charset=UTF-8').send(printLines(lines, aligned))
}

function wantsJson(request: FastifyRequest): boolean {
  const format = readParameters(request).text('format')?.toLowerCase()
  if (format !== undefined && format !== 'json' && format !== 'text') {
    throw problem('INVALID_PARAMETER', { parameter: 'format', reason: 'must be text or json', value: format })
  }
  if (format !== undefined) return format === 'json'
  const json = ['application/json', ...jsonTypes]
  return json.includes(preferredType(request.headers.accept, ['text/plain', ...json]) ?? '')
}

/** Unknown names are ignored, as by Elasticsearch. */
function shownColumns<R>(columns: readonly Column<R>[], names: string | undefined): readonly Shown<R>[] {
  if (names === undefined) return columns.map((column) => ({ title: column.name, column }))
  const shown = new Map<string, Column<R>>()
  for (const name of names.split(',').map((part) => part.trim())) {
    for (const column of columns) {
      if (column.name === name || column.aliases.includes(name)) shown.set(name, column)
      else if (name.includes('*') && indexPatternsMeet(column.name, name)) shown.set(column.name, column)
    }
  }
  return [...shown].map(([title, column]) => ({ title, column }))
}

function readUnit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = UNITS.findIndex((unit) => unit === text || (unit !== 'b' && unit.charAt(0) === text))
  if (at >= 0) return 1024 ** at
  throw problem('INVALID_PARAMETER', { parameter: 'bytes', reason: `must be one of ${UNITS.join(', ')}`, value: text })
}

function printCell(value: ReturnType<Column<never>['of']>, unit: number | undefined): string {
  if (typeof value === 'string') return value
  if (value.bytes === undefined) return '-'
  return unit === undefined ? printBytes(value.bytes) : String(Math.floor(value.bytes / unit))
}

export function printBytes(bytes: number): string {
  const at = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Math.floor((bytes / 1024 ** at) * 10) / 10}${UNITS[at] ?? ''}`
}

/** `s`: columns, each with `:asc` or `:desc`. */
function sortRows<R>(columns: readonly Column<R>[], rows: readonly R[], orders: string | undefined): readonly R[] {
  if (orders === undefined) return rows
  const keys = new Map<Column<R>, number>()
  for (const order of orders.split(',')) {
    const [name = '', direction = 'asc'] = order.trim().split(':')
    const column = columns.find((one) => one.name === name || one.aliases.includes(name))
    if (column === undefined || (direction !== 'asc' && direction !== 'desc')) {
      const reason = 'must name columns, each with :asc or :desc'
      throw problem('INVALID_PARAMETER', { parameter: 's', reason, value: order })
    }
    if (!keys.has(column)) keys.set(column, direction === 'asc' ? 1 : -1)
  }
  return rows.toSorted((a, b) => {
    for (const [column, sign] of keys) {
      const difference = compare(keyOf(column, a), keyOf(column, b))
      if (difference !== 0) return sign * difference
    }
    return 0
  })
}

function keyOf<R>({ of, isNumber }: Column<R>, row: R): string | number {
  const value = of(row)
  if (typeof value !== 'string') return value.bytes ?? -1
  return isNumber === true ? Number(value) : value
}

const compare = <K extends string | number>(a: K, b: K): number => (a < b ? -1 : a > b ? 1 : 0)

function printLines(lines: readonly (readonly string[])[], isRight: readonly boolean[]): string {
  const widths = isRight.map((_right, at) => lines.reduce((width, line) => Math.max(width, line[at]?.length ?? 0), 0))
  const print = (line: readonly string[]): string =>
    line
      .map((cell, at) => (isRight[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join(' ')
  return lines.map((line) => `${print(line).trimEnd()}\n`).join('')
}
