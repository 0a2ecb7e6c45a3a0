import type { InputPlace } from './input-place.ts'

/** Bytes that were not consumed yet. */
export interface Stretch {
  readonly bytes: Buffer
  /** True if nothing follows: the input ended, or the file was replaced. */
  readonly isEnd: boolean
  /** True if the bytes are the first of a file. */
  readonly isStart: boolean
}

/** An input that others append to. */
export interface GrowingInput {
  /** Where to go on after a restart; undefined if that is not possible. */
  readonly place: InputPlace | undefined
  /** Waits for new bytes. Undefined if the signal aborts or the input has ended. */
  next(signal: AbortSignal): Promise<Stretch | undefined>
  /** Marks bytes of the last stretch as consumed. */
  advance(count: number): Promise<void>
  close(): Promise<void>
}

/** Bytes that are read at a time. */
export const STEP = 1024 * 1024

/** A line or row that is longer ends the command. */
export const LONGEST = 64 * 1024 * 1024
