import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Reject } from '../../ingest/load/load-target.ts'
import type { Source } from '../../ingest/source/open-sources.ts'
import { withGivenMask } from '../../storage/private-files.ts'

/** Writes rejected documents as JSON lines; creates the file with the first one. */
export class RejectFile {
  readonly path: string
  readonly #flags: 'w' | 'a'
  #count = 0
  #descriptor: number | undefined

  /** `flags`: `a` keeps what the file has. */
  constructor(file: string, flags: 'w' | 'a' = 'w') {
    this.path = file
    this.#flags = flags
  }

  get count(): number {
    return this.#count
  }

  add(rejects: readonly Reject[]): void {
    if (rejects.length === 0) return
    this.#count += rejects.length
    this.#descriptor ??= withGivenMask(() => openSync(this.path, this.#flags))
    writeSync(this.#descriptor, rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''))
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}

/** `trips.csv.gz` -> `trips.csv.gz.rejects.ndjson` in the working directory. */
export function defaultRejectFile([first]: readonly Source[]): string {
  const name = first === undefined || first.file === '-' ? 'stdin' : path.basename(first.name)
  return `${name}.rejects.ndjson`
}
