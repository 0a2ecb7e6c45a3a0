import type { WireObject } from '../../cluster-client/cluster-client.ts'
import type { ClusterIndex } from '../../storage/cluster-index.ts'
import { type ClusterSequence, sequenceId } from '../../storage/cluster-index-sequence.ts'
import { PLACE_MEMBERS, readPlace, writeGap } from './cluster-tag-log-record.ts'
import { LogCatalogue } from './log-catalogue.ts'

/** Numbers looked at when hardly any are expected, and when there may be many. */
const GLANCE = 64
const PAGE = 1_000

/** Identifier of the document that says which offset is the lowest kept. */
const FIRST = 'first'

export interface LogFollowerOptions {
  readonly index: ClusterIndex
  readonly sequence: ClusterSequence
  /** How long a missing number below an existing one is waited for. */
  readonly gapMs: number
  readonly onBadRecord: (offset: number) => void
}

/** Reads the log in the order of its numbers, as far as it goes, into a catalogue. */
export class LogFollower {
  readonly catalogue = new LogCatalogue()
  readonly #options: LogFollowerOptions
  /** The last reading that began; one that is asked for meanwhile begins after it. */
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

  /** The first number nobody is known to have. */
  get end(): number {
    return Math.max(this.#end, this.catalogue.end)
  }

  /** Every record that was there when this was called is in the catalogue then. */
  catchUp(): Promise<void> {
    if (this.#reading === undefined) return this.#begin()
    this.#queued ??= this.#reading.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#queued
  }

  /** The lowest offset kept. */
  async readFirst(): Promise<number> {
    return (await this.#options.index.get<{ readonly offset: number }>(FIRST))?.source.offset ?? 0
  }

  /** Records below an offset are not looked for any more, by anybody. */
  async writeFirst(offset: number): Promise<void> {
    for (;;) {
      const known = await this.#options.index.get<{ readonly offset: number }>(FIRST)
      if (known !== undefined && known.source.offset >= offset) break
      if ((await this.#options.index.put(FIRST, { offset }, { over: known?.version ?? 'absent' })) !== undefined) break
    }
    this.catalogue.dropBelow(offset)
  }

  /** Offsets below `lowest` that nobody has are given up. */
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
        // A gap may have led beyond numbers that were read with it.
        if (number >= this.catalogue.end) this.#take(number, source)
      }
      this.#end = Math.max(this.#end, (beyond ?? -1) + 1, this.catalogue.end)
      if (beyond !== undefined && !(await this.#crossGap())) return
      // A gap may have led to numbers far beyond those that were looked at.
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
   * A number is missing below one that exists: its record is on its way, was removed, or will never come. In the last
   * case an empty record takes the place, so that a late one finds it taken. Whether reading may go on.
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
