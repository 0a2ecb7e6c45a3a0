import type { LiveRows } from '../live-rows.ts'
import type { ColumnOutline, Identifiers, OpenedPart, StoredPart, Wanted } from '../part.ts'
import { type ColumnData, identifiersOf, type OpenedData, type SegmentData, segmentOf } from '../segment-data.ts'
import { openSegmentFile, type SegmentFile } from './segment-file.ts'
import { type SegmentMemory, Slot, type Unpin } from './segment-memory.ts'

interface StoredColumn {
  readonly outline: ColumnOutline
  readonly slot: Slot<ColumnData>
}

/**
 * A segment in its file. Knows the directory of the file; columns, identifiers, row numbers and extents are read when a
 * part of it is opened, and stay in memory while there is room.
 */
export class StoredSegment {
  readonly rows: number
  readonly #file: SegmentFile
  readonly #memory: SegmentMemory
  readonly #sortedBy: string | undefined
  /** By path. */
  readonly #columns = new Map<string, StoredColumn>()
  readonly #ids: Slot<SegmentData['ids']>
  readonly #seqs: Slot<SegmentData['seqs']>
  readonly #extents: Slot<SegmentData['extents']>
  #holders = 0
  #isRetired = false

  private constructor(file: SegmentFile, memory: SegmentMemory) {
    this.#file = file
    this.#memory = memory
    const { rows, sortedBy, columns } = file.outline
    this.rows = rows
    this.#sortedBy = sortedBy
    for (const [i, column] of columns.entries()) {
      const { path, kind, type } = column
      const terms = 'dictionary' in column ? { dictionary: { size: column.dictionary.starts.length - 1 } } : {}
      const isInexact = kind === 'number' && column.inexact === true
      const outline: ColumnOutline = { kind, type, ...(isInexact && { inexact: true as const }), ...terms }
      this.#columns.set(path, { outline, slot: this.#slot(['columns', i]) })
    }
    this.#ids = this.#slot(['ids'])
    this.#seqs = this.#slot(['seqs'])
    this.#extents = this.#slot(['extents'])
  }

  /** Reads the directory of a file. Throws DamagedSegment if it cannot be used. */
  static async open(path: string, memory: SegmentMemory): Promise<StoredSegment> {
    return new StoredSegment(await openSegmentFile(path), memory)
  }

  /** The checksums and the version of the format vouch for the type. */
  #slot<T>(path: readonly (string | number)[]): Slot<T> {
    return new Slot(this.#file.bytesAt(path), (signal) => this.#file.read(path, signal) as Promise<T>)
  }

  get path(): string {
    return this.#file.path
  }

  /** Returns the segment as the readers of a version see it. */
  part(live: LiveRows): StoredPart {
    const identifiers = (): Identifiers | undefined => this.#ids.value && identifiersOf(this.#ids.value)
    return {
      rows: this.rows,
      live,
      column: ({ path, type }) => {
        const outline = this.#columns.get(path)?.outline
        return outline?.type === type ? outline : undefined
      },
      open: (wanted, signal) => this.#open(live, wanted, signal),
      get knownIds() {
        return identifiers()
      },
    }
  }

  /** What of the segment is in memory. */
  get loaded(): Wanted {
    const columns = [...this.#columns].filter(([, { slot }]) => slot.value !== undefined)
    return {
      fields: columns.map(([path, { outline }]) => ({ path, type: outline.type })),
      ids: this.#ids.value !== undefined,
      seqs: this.#seqs.value !== undefined,
      extents: this.#extents.value !== undefined,
    }
  }

  /** Memory that an opened part takes. */
  bytesOf(wanted: Wanted): number {
    return this.#slots(wanted).reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Keeps the file open until `release`, also if the segment is retired meanwhile. */
  hold(): void {
    this.#holders++
  }

  /** Returns a promise only if that closes the file. */
  release(): Promise<void> | undefined {
    this.#holders--
    return this.#closeUnheld()
  }

  /** Ends the use of the segment: once nobody holds it, the file is closed and its memory is freed. */
  async retire(): Promise<void> {
    this.#isRetired = true
    await this.#closeUnheld()
  }

  #closeUnheld(): Promise<void> | undefined {
    if (!this.#isRetired || this.#holders > 0) return undefined
    this.#memory.forget([this.#ids, this.#seqs, this.#extents])
    this.#memory.forget([...this.#columns.values()].map(({ slot }) => slot))
    return this.#file.close()
  }

  #open(live: LiveRows, wanted: Wanted, signal: AbortSignal | undefined): OpenedPart | Promise<OpenedPart> {
    const opened = (release: Unpin): OpenedPart => ({
      part: segmentOf(this.#opened(wanted), live, (path, type) => this.#columns.get(path)?.outline.type === type),
      release,
    })
    const held = this.#memory.hold(this.#slots(wanted), signal)
    return held instanceof Promise ? held.then(opened) : opened(held)
  }

  #slots(wanted: Wanted): readonly Slot[] {
    const slots: Slot[] = [...this.#wantedColumns(wanted)]
    if (wanted.ids) slots.push(this.#ids)
    if (wanted.seqs) slots.push(this.#seqs)
    if (wanted.extents) slots.push(this.#extents)
    return slots
  }

  #wantedColumns({ fields = [] }: Wanted): ReadonlySet<Slot<ColumnData>> {
    const found = new Set<Slot<ColumnData>>()
    for (const { path, type } of fields) {
      const column = this.#columns.get(path)
      if (column?.outline.type === type) found.add(column.slot)
    }
    return found
  }

  /** What was asked for, all of which is in memory now. */
  #opened(wanted: Wanted): OpenedData {
    const { ids, seqs, extents } = wanted
    return {
      rows: this.rows,
      ...(this.#sortedBy === undefined ? {} : { sortedBy: this.#sortedBy }),
      columns: [...this.#wantedColumns(wanted)].flatMap(({ value }) => value ?? []),
      ids: ids ? this.#ids.value : undefined,
      seqs: seqs ? this.#seqs.value : undefined,
      extents: extents ? this.#extents.value : undefined,
    }
  }
}
