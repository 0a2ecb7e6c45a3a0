import { setTimeout as pause } from 'node:timers/promises'
import { isRecord } from '../../model/json/json-object.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { printCount, printDocuments } from '../terminal/progress.ts'
import { ProgressLine, type ProgressOutput } from '../terminal/progress-line.ts'
import type { Connection } from './connection.ts'
import { readAnswer } from './connection.ts'

/** Status of a tag request, as returned by the server. */
interface TagState {
  readonly id: string
  readonly action: string
  readonly label?: string
  readonly progress: number
  readonly updated: number
  readonly failed: number
  readonly nbRequest: number
  readonly propagated: number
  readonly processingTimeMs: number
  readonly failures: readonly { readonly id: string; readonly type: string; readonly message: string }[]
}

/** The part of a connection used here. */
type Asked = Pick<Connection, 'send' | 'where'>

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** Maximum number of failures printed; the status contains more. */
const SHOWN_FAILURES = 10

export const statusPath = (collection: string, id: string): string =>
  `/status/${encodeURIComponent(collection)}/_tag/${encodeURIComponent(id)}`

/** Polls until a request is finished, and shows its progress. */
export async function followTag(
  connection: Asked,
  collection: string,
  id: string,
  options: { readonly signal: AbortSignal; readonly output?: ProgressOutput },
): Promise<TagState> {
  const line = new ProgressLine(options.output ?? process.stderr, () => performance.now())
  try {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const state = readState(readAnswer(await connection.send('GET', statusPath(collection, id)), connection.where))
      if (state.progress === 100) return state
      line.show(() => describe(state), state.progress / 100)
      await pause(wait, undefined, { signal: options.signal }).catch(() => stopWaiting(collection, id))
    }
  } finally {
    line.clear()
  }
}

function stopWaiting(collection: string, id: string): never {
  throw new CliFault(`The server continues with the request: check it with "periplus tags status ${collection} ${id}".`)
}

export function readState(answer: unknown): TagState {
  if (!isRecord(answer))
    throw new CliFault(
      'The response of the server is not the status of a tag request: check that it is a Periplus server.',
    )
  const { id, action, label, failures } = answer
  const number = (key: string): number => Number(answer[key] ?? 0)
  return {
    id: String(id),
    action: String(action),
    ...(label === undefined ? {} : { label: String(label) }),
    progress: number('progress'),
    updated: number('updated'),
    failed: number('failed'),
    nbRequest: number('nbRequest'),
    propagated: number('propagated'),
    processingTimeMs: number('processingTimeMs'),
    failures: (Array.isArray(failures) ? failures : []).filter(isRecord).map((failure) => ({
      id: String(failure.id),
      type: String(failure.type),
      message: String(failure.message),
    })),
  }
}

/** `1,200 documents, 3 of 10 values, 2 failures`; says that it waits if no progress is known yet. */
export function describe({ propagated, nbRequest, updated, failed }: TagState): string {
  if (propagated < 0) return 'waiting'
  const parts = [printDocuments(updated)]
  if (propagated > 1) parts.push(`${printCount(nbRequest)} of ${printCount(propagated)} values`)
  if (failed > 0) parts.push(`${printCount(failed)} ${failed === 1 ? 'failure' : 'failures'}`)
  return parts.join(', ')
}

/** Prints the result of a finished request. Returns the exit code. */
export function reportTag(state: TagState): number {
  const seconds = (state.processingTimeMs / 1000).toFixed(1)
  console.log(`Done: ${describe(state)}, in ${seconds} s.`)
  for (const { id, type, message } of state.failures.slice(0, SHOWN_FAILURES)) {
    console.error(`${type} ${id}: ${message}`)
  }
  if (state.failed > SHOWN_FAILURES) {
    console.error(`${printCount(state.failed - SHOWN_FAILURES)} more failures: use "periplus tags status" with --json.`)
  }
  return state.failed > 0 ? exitCodes.rejected : exitCodes.done
}
