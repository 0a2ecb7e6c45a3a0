import { join } from 'node:path'
import type { TableLayout } from '../index/table-layout.ts'
import { type PartData, partOfData } from '../parts/part-data.ts'
import { SegmentBuilder } from '../segment/build/segment-builder.ts'
import type { StoredMember } from '../segment/file/directory.ts'
import { DamagedSegment } from '../segment/file/segment-file.ts'
import { type Store, writeInPieces } from '../segment/file/segment-file-writer.ts'
import { SegmentMemory } from '../segment/file/segment-memory.ts'
import { StoredSegment } from '../segment/file/stored-segment.ts'
import { openAll, type Part, type StoredPart, type Wanted } from '../segment/part.ts'

/** Parts to build a segment from, and where to store it. */
interface BuildJob {
  readonly parts: readonly PartData[]
  readonly layout: TableLayout
  readonly firstSeq: number
  readonly endSeq: number
  readonly directory: string
  readonly file: string
}

/** What became of a job. Errors lose their class on the way to another thread. */
type BuildOutcome =
  | { readonly kind: 'built' }
  | ({ readonly kind: 'damaged' } & Pick<DamagedSegment, 'path' | 'damage'>)

/**
 * Builds a segment and stores it. Reads and writes one column at a time, so that memory does not grow with the number of
 * columns.
 */
export async function buildAndStore({
  parts,
  layout,
  firstSeq,
  endSeq,
  directory,
  file,
}: BuildJob): Promise<BuildOutcome> {
  const segments = new Map<string, StoredSegment>()
  try {
    // Keeps nothing that is not in use.
    const memory = new SegmentMemory(0)
    for (const { source } of parts) {
      if ('file' in source) segments.set(source.file, await StoredSegment.open(join(directory, source.file), memory))
    }
    const inputs = parts.map((part) => partOfData(part, (name) => found(segments, name)))
    const builder = new SegmentBuilder(layout, { firstSeq, endSeq })
    await writeInPieces(directory, file, (store) => buildInPieces(builder, inputs, store))
    return { kind: 'built' }
  } catch (error) {
    if (!(error instanceof DamagedSegment)) throw error
    return { kind: 'damaged', path: error.path, damage: error.damage }
  } finally {
    for (const segment of segments.values()) await segment.retire()
  }
}

async function buildInPieces(builder: SegmentBuilder, inputs: readonly StoredPart[], store: Store): Promise<object> {
  const opened = async <T>(wanted: Wanted, build: (parts: readonly Part[]) => T): Promise<T> => {
    const { parts, release } = await openAll(inputs, wanted)
    try {
      return build(parts)
    } finally {
      release()
    }
  }
  await opened({ fields: builder.arrangedBy }, (parts) => builder.arrange(parts))
  const columns: StoredMember[] = []
  for (const field of builder.fields) {
    const column = await opened({ fields: [field] }, (parts) => builder.column(field, parts))
    if (column) columns.push(await store(column))
  }
  const ids = await store(await opened({ ids: true }, (parts) => builder.identifiers(parts)))
  const seqs = await store(await opened({ seqs: true }, (parts) => builder.numbering(parts)))
  const extents = await store(await opened({ extents: true }, (parts) => builder.extents(parts)))
  return { ...builder.rest, columns, ids, seqs, extents }
}

function found(segments: ReadonlyMap<string, StoredSegment>, name: string): StoredSegment {
  const segment = segments.get(name)
  if (!segment) throw new Error(`the segment ${name} is not open`)
  return segment
}
