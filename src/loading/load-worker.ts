import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import { loadFiles } from '../ingest/load/load-files.ts'
import type { LoadReport, LoadTarget, OutgoingDocument } from '../ingest/load/load-target.ts'
import { FileSet } from '../ingest/plan/file-set.ts'
import { isDataFile } from '../ingest/read/shared/input-format.ts'
import { ExistsFault, InputFault } from '../ingest/source/input-fault.ts'
import { openSources } from '../ingest/source/open-sources.ts'
import type { FromThread, LoadFault, LoadJob, TargetMethod, ToThread } from './load-messages.ts'

/**
 * Thread of one load: reads the file and decides how it is loaded. Large files of some formats are read as a whole, so
 * they must not hold up the server, and take memory of a limit of their own.
 */

class TargetFault extends Error {}

type Settle = ReturnType<typeof Promise.withResolvers<unknown>>

const calls = new Map<number, Settle>()
let lastCall = 0

function send(message: FromThread, memory: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, memory)
}

/** The server answers with what the method of its target returns. */
function call<T>(
  method: TargetMethod,
  parameters: readonly unknown[],
  memory: readonly ArrayBuffer[] = [],
): Promise<T> {
  const id = ++lastCall
  const settle = Promise.withResolvers<unknown>()
  calls.set(id, settle)
  send({ kind: 'call', id, method, parameters }, memory)
  return settle.promise as Promise<T>
}

const target: LoadTarget = {
  where: 'the server',
  mappingOf: (index) => call('mappingOf', [index]),
  countOf: (index) => call('countOf', [index]),
  createIndex: (index, mapping) => call('createIndex', [index, mapping]),
  dropIndex: (index) => call('dropIndex', [index]),
  replaceIndex: (index, by) => call('replaceIndex', [index, by]),
  referenceOf: (collection) => call('referenceOf', [collection]),
  putReference: (collection, reference) => call('putReference', [collection, reference]),
  write: (index, documents) => {
    const bytes = new TextEncoder().encode(linesOf(documents))
    return call('write', [index, bytes], [bytes.buffer])
  },
  settle: async () => undefined,
}

const linesOf = (documents: readonly OutgoingDocument[]): string =>
  documents
    .map(({ id, text }) => `${JSON.stringify({ index: id === undefined ? {} : { _id: id } })}\n${text}\n`)
    .join('')

const report: LoadReport = {
  say: (text) => send({ kind: 'say', text }),
  start: () => send({ kind: 'start' }),
  reject: (rejects) => send({ kind: 'reject', rejects }),
  progress: (progress) => send({ kind: 'progress', progress }),
}

parentPort?.on('message', (answer: ToThread) => {
  const settle = calls.get(answer.id)
  calls.delete(answer.id)
  if ('failed' in answer) settle?.reject(new TargetFault())
  else settle?.resolve(answer.value)
})

async function run({ file, name, title, folder, mostUnpacked, options }: LoadJob): Promise<void> {
  const scratch = { folder, mostUnpacked }
  const sources = await openSources([file], { isData: isDataFile, mostUnpacked, folder, shownName: name })
  for (const note of sources.notes) report.say(note)
  const files = new FileSet(sources.files, { ...options, scratch })
  try {
    const outcome = await loadFiles(target, files, title ?? sources.title, options, report)
    send({ kind: 'done', outcome })
  } finally {
    files.close()
  }
}

function faultOf(error: unknown, { folder }: LoadJob): LoadFault {
  if (error instanceof TargetFault) return { kind: 'target' }
  if (error instanceof Problem) return { kind: 'index-name', name: String(error.details.value) }
  if (error instanceof ExistsFault) return { kind: 'exists', subject: error.subject, reason: error.reason }
  const text = error instanceof Error ? error.message : String(error)
  const message = text.replaceAll(`${folder}/`, '')
  return { kind: error instanceof InputFault ? 'input' : 'damaged', message }
}

const job: LoadJob = workerData
try {
  await run(job)
} catch (error) {
  send({ kind: 'failed', fault: faultOf(error, job) })
}
parentPort?.close()
