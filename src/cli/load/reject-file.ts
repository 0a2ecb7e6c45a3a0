import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { withGivenMask } from '../../storage/private-files.ts'

/** A document that was not loaded, with its line and the reason, so that it can be fixed and loaded again. */
interface Reject {
  readonly line: number
  readonly reason: string
  readonly text: string
}

/** Writes rejected documents as JSON lines; creates the file with the first one. */
export class RejectFile {
  readonly path: string
  #count = 0
  #descriptor: number | undefined

  constructor(file: string) {
    this.path = file
  }

  get count(): number {
    return this.#count
  }

  add(rejects: readonly Reject[]): void {
    if (rejects.length === 0) return
    this.#count += rejects.length
    this.#descriptor ??= withGivenMask(() => openSync(this.path, 'w'))
    writeSync(this.#descriptor, rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''))
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** `trips.csv.gz` -> `trips.csv.gz.rejects.ndjson` in the working directory. */
export function defaultRejectFile(input: string): string {
  return `${input === '-' ? 'stdin' : path.basename(input)}.rejects.ndjson`
}
