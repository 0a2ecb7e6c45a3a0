import type { TableLayout } from '../index/table-layout.ts'
import type { Column } from '../segment/column.ts'
import type { Dictionary, DictionaryData } from '../segment/dictionary.ts'
import type { StoredSegment } from '../segment/file/stored-segment.ts'
import { LiveRows } from '../segment/live-rows.ts'
import { type Extents, type Part, residentPart, type StoredPart } from '../segment/part.ts'
import { SortedDictionary } from '../segment/sorted-dictionary.ts'
import { GrowingTerms } from '../segment/tail/growing-dictionary.ts'
import { type EncodedIds, TailIds } from '../segment/tail/tail-identifiers.ts'
import { editedPart, partWith } from './edited-part.ts'
import type { PartEntry } from './part-entry.ts'

/** A part to build a segment from, as plain data, which can be sent to another thread. Shared arrays are not copied. */
export interface PartData {
  /** A tail, or the file of a segment. */
  readonly source: TailData | { readonly file: string }
  readonly dead: Uint32Array
  readonly overlay?: { readonly columns: readonly PlainColumn[]; readonly extents: Extents }
}

/** Terms of a dictionary, or identifiers: UTF-8, one after the other. */
type EncodedTexts = DictionaryData & EncodedIds

interface TailData {
  readonly rows: number
  readonly firstSeq: number
  readonly ids: EncodedIds
  readonly columns: readonly PlainColumn[]
  readonly extents: Extents
}

interface PlainColumn {
  readonly path: string
  readonly column:
    | Column
    | (Omit<Extract<Column, { dictionary: unknown }>, 'dictionary'> & { readonly terms: DictionaryData })
}

export function partDataOf({ base, live, overlay, part: { rows } }: PartEntry, { fields }: TableLayout): PartData {
  const dead = Uint32Array.from(live.deadRows())
  if (base.kind === 'lost') throw new Error(`the segment ${base.file} cannot be read`)
  if (base.kind === 'tail') {
    const part = partWith(base.part, live, overlay)
    const columns = fields.flatMap((field) => plainColumns(field.path, part.column(field), rows))
    const { firstSeq } = base.tail
    return { source: { rows, firstSeq, ids: idsOf(part), columns, extents: cutExtents(part) }, dead }
  }
  const source = { file: base.file }
  if (!overlay) return { source, dead }
  const columns = [...overlay.columns].flatMap(([path, column]) => plainColumns(path, column, rows))
  return { source, dead, overlay: { columns, extents: overlay.extents } }
}

const cutExtents = ({ rows, extents: { at, size } }: Part): Extents => ({
  at: at.subarray(0, rows),
  size: size.subarray(0, rows),
})

function plainColumns(path: string, column: Column | undefined, rows: number): readonly PlainColumn[] {
  if (!column) return []
  const cut = cutColumn(column, rows)
  if (!('dictionary' in cut)) return [{ path, column: cut }]
  const { dictionary, ...rest } = cut
  return [{ path, column: { ...rest, terms: termsOf(dictionary) } as PlainColumn['column'] }]
}

/** Bytes, because strings are slow to send. */
function idsOf({ rows, ids }: Part): EncodedIds {
  return ids instanceof TailIds ? copyOf(ids.data) : encoded(rows, (row) => ids.id(row))
}

function termsOf(dictionary: Dictionary): DictionaryData {
  if (dictionary instanceof GrowingTerms || dictionary instanceof SortedDictionary) return copyOf(dictionary.data)
  return encoded(dictionary.size, (i) => dictionary.term(i + 1))
}

/** Without the rest of the memory that the arrays are part of, which would be sent too. */
const copyOf = ({ bytes, starts }: EncodedTexts): EncodedTexts => ({
  bytes: Uint8Array.from(bytes),
  starts: starts.slice(),
})

function encoded(count: number, text: (i: number) => string): EncodedTexts {
  const texts = Array.from({ length: count }, (_, i) => Buffer.from(text(i)))
  const starts = new Uint32Array(count + 1)
  for (const [i, bytes] of texts.entries()) starts[i + 1] = (starts[i] ?? 0) + bytes.length
  return { bytes: Uint8Array.from(Buffer.concat(texts)), starts }
}

function decoded({ bytes, starts }: EncodedTexts): (i: number) => string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return (i) => buffer.toString('utf8', starts[i], starts[i + 1])
}

/** Cuts arrays that have grown beyond the rows, so that less is copied. */
function cutColumn(column: Column, rows: number): Column {
  switch (column.kind) {
    case 'code':
      return { ...column, codes: column.codes.subarray(0, column.starts?.[rows] ?? rows) }
    case 'number':
      return { ...column, values: column.values.subarray(0, column.starts?.[rows] ?? rows) }
    case 'text':
      return { ...column, tokens: column.tokens.subarray(0, column.starts[rows]) }
    default:
      return column
  }
}

/** Returns the part that `partDataOf` was given. `segmentOf`: returns the segment of a file. */
export function partOfData(
  { source, dead, overlay }: PartData,
  segmentOf: (file: string) => StoredSegment,
): StoredPart {
  const live = LiveRows.all.without(dead)
  if (!('file' in source)) return residentPart(tailOf(source, live))
  const part = segmentOf(source.file).part(live)
  if (!overlay) return part
  const columns = new Map(overlay.columns.map(({ path, column }) => [path, withDictionary(column)]))
  return editedPart(part, { columns, extents: overlay.extents })
}

function tailOf({ rows, firstSeq, ids, columns, extents }: TailData, live: LiveRows): Part {
  const id = decoded(ids)
  const byPath = new Map(columns.map(({ path, column }) => [path, withDictionary(column)]))
  return {
    rows,
    live,
    column: ({ path, type }) => {
      const column = byPath.get(path)
      return column?.type === type ? column : undefined
    },
    ids: { id, find: (sought) => Array.from({ length: rows }, (_, row) => row).filter((row) => id(row) === sought) },
    seqs: {
      seq: (row) => firstSeq + row,
      row: (seq) => (seq >= firstSeq && seq < firstSeq + rows ? seq - firstSeq : -1),
    },
    extents,
  }
}

function withDictionary(column: PlainColumn['column']): Column {
  if (!('terms' in column)) return column
  const { terms, ...rest } = column
  return { ...rest, dictionary: dictionaryOf(terms) } as Column
}

function dictionaryOf(terms: DictionaryData): Dictionary {
  const size = terms.starts.length - 1
  const term = decoded(terms)
  return {
    size,
    origin: terms,
    sorted: false,
    term: (code) => term(code - 1),
    codeOf: (sought) => Array.from({ length: size }, (_, i) => term(i)).indexOf(sought) + 1,
    firstFrom: () => {
      throw new Error('the dictionary is not sorted')
    },
  }
}
