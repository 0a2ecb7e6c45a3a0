import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { IndexDefinition, SegmentRecord } from '../index/index-definition.ts'
import { partDataOf } from '../parts/part-data.ts'
import { type PartEntry, segmentEntry, tailEntry } from '../parts/part-entry.ts'
import { DamagedSegment, removeSegmentFile } from '../segment/file/segment-file.ts'
import type { SegmentMemory } from '../segment/file/segment-memory.ts'
import { StoredSegment } from '../segment/file/stored-segment.ts'
import { LiveRows } from '../segment/live-rows.ts'
import type { Wanted } from '../segment/part.ts'
import { Tail } from '../segment/tail/tail.ts'
import type { BuilderThread } from './builder-thread.ts'
import { readRows } from './database-rows.ts'

/** Rows read from the database at a time when a segment must be built from it. */
const READ_ROWS = 2 ** 15
/** Rows per segment built from the database. */
const REBUILT_ROWS = 2 ** 18

interface SegmentMakerOptions {
  readonly directory: string
  readonly thread: BuilderThread
  readonly memory: SegmentMemory
  readonly onNotice: (text: string) => void
}

/** Opens, builds and removes segment files. */
export class SegmentMaker {
  readonly #options: SegmentMakerOptions

  constructor(options: SegmentMakerOptions) {
    this.#options = options
  }

  /** Opens a segment of the catalog. Undefined if it must be built again. */
  async open({ file, firstSeq, endSeq, isEdited }: SegmentRecord, { name }: IndexDefinition) {
    if (isEdited) return undefined
    try {
      return segmentEntry(file, await this.#segment(file), firstSeq, endSeq)
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      this.#options.onNotice(`Segment ${file} of index ${name} is built again: ${error.message}`)
      return undefined
    }
  }

  #segment(file: string): Promise<StoredSegment> {
    const { directory, memory } = this.#options
    return StoredSegment.open(join(directory, file), memory)
  }

  /** Builds one segment with the rows of entries. Rejects with DamagedSegment if one of them cannot be read. */
  async build(
    entries: readonly PartEntry[],
    definition: IndexDefinition,
    firstSeq: number,
    endSeq: number,
  ): Promise<PartEntry> {
    const { directory, thread } = this.#options
    const { layout } = definition
    const file = newFile(definition)
    const parts = entries.map((entry) => partDataOf(entry, layout))
    const outcome = await thread.run('build', { parts, layout, firstSeq, endSeq, directory, file })
    if (outcome.kind === 'damaged') throw new DamagedSegment(outcome.path, outcome.damage)
    return segmentEntry(file, await this.#segment(file), firstSeq, endSeq)
  }

  /** Reads the columns of a new segment that readers use in those it replaces, unless others had to go for that. */
  async warm({ base, part }: PartEntry, old: readonly PartEntry[]): Promise<void> {
    const { memory } = this.#options
    if (base.kind !== 'segment') return
    const segments = old.flatMap((entry) => (entry.base.kind === 'segment' ? [entry.base.segment] : []))
    const loaded = segments.map((segment) => segment.loaded)
    const wanted: Wanted = {
      fields: loaded.flatMap(({ fields = [] }) => fields),
      ids: loaded.some(({ ids }) => ids),
      seqs: loaded.some(({ seqs }) => seqs),
      extents: loaded.some(({ extents }) => extents),
    }
    // They will be freed soon.
    const used = segments.reduce((sum, segment) => sum + segment.bytesOf(segment.loaded), 0)
    if (base.segment.bytesOf(wanted) > memory.maxBytes - memory.bytes + used) return
    const { release } = await part.open(wanted)
    release()
  }

  /** Builds segments of rows that are in the database only. */
  async fromDatabase(
    connection: DuckDBConnection,
    definition: IndexDefinition,
    from: number,
    to: number,
  ): Promise<readonly PartEntry[]> {
    const { name, layout, table } = definition
    const entries: PartEntry[] = []
    for (let first = from; first < to; first += REBUILT_ROWS) {
      const end = Math.min(to, first + REBUILT_ROWS)
      if (to - from > REBUILT_ROWS) {
        const done = Math.round((100 * (first - from)) / (to - from))
        this.#options.onNotice(`Building segments of index ${name}: ${done} %`)
      }
      const tail = new Tail(layout, first)
      let live = LiveRows.all
      for (let at = first; at < end; at += READ_ROWS) {
        const { rows, missing } = await readRows(connection, table, layout, at, Math.min(end, at + READ_ROWS))
        tail.append(rows, at - first, layout)
        live = live.without(missing.map((row) => at - first + row))
      }
      if (live.dead < end - first)
        entries.push(await this.build([tailEntry(tail, end - first, live)], definition, first, end))
    }
    return entries
  }

  /** Removes the file of a segment that no version has any more. Those who still read it can go on. */
  async remove({ file, segment }: { readonly file: string; readonly segment: StoredSegment }): Promise<void> {
    await segment.retire()
    await removeSegmentFile(this.#options.directory, file)
  }
}

let made = 0

/** Returns a file name that no other segment has, also after a restart. */
const newFile = ({ uuid }: IndexDefinition): string => `${uuid}.${Date.now().toString(36)}-${made++}`
