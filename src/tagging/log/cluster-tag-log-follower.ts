import type { WireObject } from '../../cluster-client/cluster-client.ts'
import type { ClusterIndex } from '../../storage/cluster-index.ts'
import { type ClusterSequence, sequenceId } from '../../storage/cluster-index-sequence.ts'
import { PLACE_MEMBERS, readPlace, writeGap } from './cluster-tag-log-record.ts'
import { LogCatalogue } from './log-catalogue.ts'

/** Records to read when few are expected, and when many may exist. */
const GLANCE = 64
const PAGE = 1_000

/** `_id` of the document with the lowest retained offset. */
const FIRST = 'first'

interface LogFollowerOptions {
  readonly index: ClusterIndex
  readonly sequence: ClusterSequence
  /** Milliseconds to wait for a missing offset below an existing one. */
  readonly gapMs: number
  readonly onBadRecord: (offset: number) => void
}

/** Reads the log in offset order, up to its end, into a catalogue. */
export class ClusterLogFollower {
  readonly catalogue = new LogCatalogue()
  readonly #options: LogFollowerOptions
  /** The current read. A call during a read starts another one after it. */
  #reading: Promise<void> | undefined
  #queued: Promise<void> | undefined
  #gap: { readonly number: number; readonly since: number } | undefined
  #isOpen = false
  #badRecords = 0
  #end = 0

  constructor(options: LogFollowerOptions) {
    this.#options = options
  }

  get badRecords(): number {
    return this.#badRecords
  }

  /** The first offset that is not known to be taken. */
  get end(): number {
    return Math.max(this.#end, this.catalogue.end)
  }

  /** Reads all records that existed at the time of the call into the catalogue. */
  catchUp(): Promise<void> {
    if (this.#reading === undefined) return this.#begin()
    this.#queued ??= this.#reading.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#queued
  }

  /** Returns the lowest retained offset. */
  async readFirst(): Promise<number> {
    return (await this.#options.index.get<{ readonly offset: number }>(FIRST))?.source.offset ?? 0
  }

  /** Raises the lowest retained offset. No server reads records below it afterwards. */
  async writeFirst(offset: number): Promise<void> {
    for (;;) {
      const known = await this.#options.index.get<{ readonly offset: number }>(FIRST)
      if (known !== undefined && known.source.offset >= offset) break
      if ((await this.#options.index.put(FIRST, { offset }, { over: known?.version ?? 'absent' })) !== undefined) break
    }
    this.catalogue.dropBelow(offset)
  }

  /** Gives up unused offsets below `lowest`. */
  async raise(lowest: number): Promise<void> {
    await this.catchUp()
    while (this.catalogue.end < lowest) {
      await this.#options.sequence.append(this.end, [writeGap(lowest)])
      await this.catchUp()
    }
  }

  #begin(): Promise<void> {
    this.#queued = undefined
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined
    })
    this.#reading = reading
    return reading
  }

  async #read(): Promise<void> {
    if (!this.#isOpen) this.#passOver(await this.readFirst())
    for (let most = this.#isOpen ? GLANCE : PAGE; ; most = PAGE) {
      this.#isOpen = true
      const from = this.catalogue.end
      const { entries, beyond } = await this.#options.sequence.read<WireObject>(from, most, undefined, PLACE_MEMBERS)
      for (const { number, source } of entries) {
        // A gap may cover offsets that were read in the same page.
        if (number >= this.catalogue.end) this.#take(number, source)
      }
      this.#end = Math.max(this.#end, (beyond ?? -1) + 1, this.catalogue.end)
      if (beyond !== undefined && !(await this.#crossGap())) return
      // A gap may extend far beyond the offsets that were read.
      const hasMore = entries.length === most || this.catalogue.end > from + entries.length
      if (beyond === undefined && !hasMore) return
    }
  }

  #take(offset: number, source: WireObject): void {
    const place = readPlace(offset, source)
    if (place.kind === 'gap') this.#passOver(place.next)
    else if (place.kind === 'record') this.catalogue.add(offset, place.id, place.collection)
    else {
      this.catalogue.skip(offset)
      this.#badRecords++
      this.#options.onBadRecord(offset)
    }
  }

  #passOver(next: number): void {
    if (next > this.catalogue.end) this.catalogue.skip(next - 1)
  }

  /**
   * Handles a missing offset below an existing one: its record is still being written, was removed, or will never
   * exist. After `gapMs` an empty record takes the offset, so that a late writer finds it taken. Returns true if
   * reading may continue.
   */
  async #crossGap(): Promise<boolean> {
    const number = this.catalogue.end
    this.#passOver(await this.readFirst())
    if (this.catalogue.end > number) return true
    if (this.#gap?.number !== number) this.#gap = { number, since: performance.now() }
    if (performance.now() - this.#gap.since < this.#options.gapMs) return false
    await this.#options.index.put(sequenceId(number), { ...writeGap(), number }, { over: 'absent' })
    return true
  }
}
