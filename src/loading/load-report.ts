import type { LoadOutcome } from '../ingest/load/load-files.ts'
import type { LoadProgress, LoadReport, Reject } from '../ingest/load/load-target.ts'
import type { LoadPlan } from '../ingest/plan/load-plan.ts'

/** What a load did, or would do. */
export interface LoadAnswer {
  readonly index: string
  readonly collection?: string
  /** Documents by outcome; absent for a dry run. */
  readonly loaded?: { readonly created: number; readonly replaced: number; readonly rejected: number }
  /** The first rejected rows. */
  readonly rejects: readonly Reject[]
  /** What was assumed, as sentences. */
  readonly notes: readonly string[]
  readonly plan: Pick<LoadPlan, 'files' | 'mapping' | 'paths' | 'idFrom' | 'timestampFrom' | 'columns' | 'checked'> & {
    /** Fields with the coordinates, if the place is made of them. */
    readonly place?: LoadPlan['shape']['place']
  }
}

/** Messages of a load in progress. */
export type LoadEvent =
  | { readonly type: 'note'; readonly text: string }
  | ({ readonly type: 'progress'; readonly size: number } & LoadProgress)

const MOST_REJECTS = 100
const LONGEST_TEXT = 1_000
/** Minimum time between two messages about progress. Milliseconds. */
const PAUSE_MS = 200

/** Collects what happens during a load, and tells it while it happens. */
export class CollectedReport implements LoadReport {
  readonly notes: string[] = []
  readonly rejects: Reject[] = []
  readonly #size: number
  readonly #tell: (event: LoadEvent) => void
  #told = 0

  constructor(size: number, tell: (event: LoadEvent) => void) {
    this.#size = size
    this.#tell = tell
  }

  say(text: string): void {
    this.notes.push(text)
    this.#tell({ type: 'note', text })
  }

  start(): void {
    this.progress({ documents: 0, rejected: 0, bytes: 0 })
  }

  reject(rejects: readonly Reject[]): void {
    for (const reject of rejects.slice(0, MOST_REJECTS - this.rejects.length)) {
      this.rejects.push({ ...reject, text: reject.text.slice(0, LONGEST_TEXT) })
    }
  }

  progress(progress: LoadProgress): void {
    const now = performance.now()
    if (this.#told > 0 && now - this.#told < PAUSE_MS) return
    this.#told = now
    this.#tell({ type: 'progress', size: this.#size, ...progress })
  }
}

export function loadAnswer({ index, collection, loaded, plan }: LoadOutcome, report: CollectedReport): LoadAnswer {
  const { files, mapping, paths, idFrom, timestampFrom, columns, checked, shape } = plan
  return {
    index,
    ...(collection === undefined ? {} : { collection }),
    ...(loaded === undefined
      ? {}
      : { loaded: { created: loaded.created, replaced: loaded.replaced, rejected: loaded.rejected } }),
    rejects: report.rejects,
    notes: report.notes,
    plan: {
      ...{ files, paths, idFrom, timestampFrom, columns, checked, mapping },
      ...(shape.place === undefined ? {} : { place: shape.place }),
    },
  }
}
