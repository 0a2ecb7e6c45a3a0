import { parentPort } from 'node:worker_threads'
import { type ReadRows, type RowShape, type RowsToRead, readRows } from './row-reading.ts'

/** Messages to the thread: the shape of all following rows, or rows to read. */
export type ToThread = { readonly shape: RowShape } | { readonly rows: RowsToRead }

/** Messages from the thread: `ready` first, then one result per request, in order. */
export type FromThread = { readonly ready: true } | { readonly read: ReadRows }

let shape: RowShape | undefined

parentPort?.on('message', (message: ToThread) => {
  if ('shape' in message) {
    shape = message.shape
    return
  }
  if (!shape) throw new Error('received rows before their layout')
  const read = readRows(shape, message.rows)
  const memory = [read.bytes, read.isRead.buffer, ...read.columns.flat().map((part) => part.buffer)]
  answer({ read }, memory)
})

answer({ ready: true })

function answer(message: FromThread, memory: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, memory)
}
