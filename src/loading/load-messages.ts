import type { LoadOptions, LoadOutcome } from '../ingest/load/load-files.ts'
import type { LoadProgress, LoadTarget, Reject } from '../ingest/load/load-target.ts'

/** What the thread is started with. */
export interface LoadJob {
  readonly file: string
  /** Name of the file as the caller gave it. */
  readonly name: string
  /** Name of the index and the collection, instead of one made from the name of the file. */
  readonly title?: string
  /** Folder for what is unpacked. */
  readonly folder: string
  readonly mostUnpacked: number
  readonly options: LoadOptions
}

/** Methods of the target that the thread calls. Documents are sent as the lines of a bulk request. */
export interface TargetCalls extends Omit<LoadTarget, 'where' | 'write' | 'settle'> {
  write(index: string, lines: Uint8Array): ReturnType<LoadTarget['write']>
}

export type TargetMethod = keyof TargetCalls

/** Messages of the thread. */
export type FromThread =
  | {
      readonly kind: 'call'
      readonly id: number
      readonly method: TargetMethod
      readonly parameters: readonly unknown[]
    }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'start' }
  | { readonly kind: 'reject'; readonly rejects: readonly Reject[] }
  | { readonly kind: 'progress'; readonly progress: LoadProgress }
  | { readonly kind: 'done'; readonly outcome: LoadOutcome }
  | { readonly kind: 'failed'; readonly fault: LoadFault }

export type LoadFault =
  /** A call of the target failed; the error is known to the server. */
  | { readonly kind: 'target' }
  | { readonly kind: 'exists'; readonly subject: string; readonly reason: string }
  | { readonly kind: 'index-name'; readonly name: string }
  /** The file cannot be read. */
  | { readonly kind: 'input'; readonly message: string }
  /** The reader failed in a way it does not expect: the file is damaged. */
  | { readonly kind: 'damaged'; readonly message: string }

/** Answer to a call. */
export type ToThread = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failed: true }
