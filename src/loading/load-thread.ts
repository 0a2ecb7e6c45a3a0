import { Worker } from 'node:worker_threads'
import { problem } from '../errors.ts'
import type { LoadOutcome } from '../ingest/load/load-files.ts'
import type { LoadReport } from '../ingest/load/load-target.ts'
import type { FromThread, LoadFault, LoadJob, TargetCalls, ToThread } from './load-messages.ts'
import type { Upload } from './upload-folder.ts'

interface ThreadOptions {
  readonly target: TargetCalls
  readonly report: LoadReport
  /** Records which index is not complete, in case the process ends. */
  readonly upload: Pick<Upload, 'begun' | 'complete'>
  readonly memoryMiB: number
  readonly signal: AbortSignal
}

/**
 * Loads a file on a thread of its own. If the thread ends early, because the client left or the memory does not suffice,
 * the index it created is dropped here.
 */
export async function runLoadThread(job: LoadJob, options: ThreadOptions): Promise<LoadOutcome> {
  const { target, report, upload, memoryMiB, signal } = options
  signal.throwIfAborted()
  const made = new MadeIndices(target, upload)
  const result = Promise.withResolvers<LoadOutcome>()
  let failure: unknown
  const pending = new Set<Promise<void>>()
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), {
    name: 'periplus-load',
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
  })
  const answer = async (id: number, method: keyof TargetCalls, parameters: readonly unknown[]): Promise<void> => {
    try {
      const value = await made.call(method, parameters)
      worker.postMessage({ id, value } satisfies ToThread)
    } catch (error) {
      failure ??= error
      worker.postMessage({ id, failed: true } satisfies ToThread)
    }
  }
  worker.on('message', (message: FromThread) => {
    switch (message.kind) {
      case 'call': {
        const work = answer(message.id, message.method, message.parameters)
        pending.add(work)
        work.finally(() => pending.delete(work))
        break
      }
      case 'say':
        return report.say(message.text)
      case 'start':
        return report.start()
      case 'reject':
        return report.reject(message.rejects)
      case 'progress':
        return report.progress(message.progress)
      case 'done':
        return result.resolve(message.outcome)
      case 'failed':
        return result.reject(message.fault.kind === 'target' ? failure : problemOf(message.fault, job))
    }
  })
  worker.on('error', (error) => result.reject(threadProblem(error, memoryMiB)))
  worker.on('exit', () => result.reject(new Error('the thread of a load ended without a result')))
  const abort = (): void => result.reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await result.promise
  } catch (error) {
    await worker.terminate()
    await Promise.all(pending)
    await made.drop()
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

/** Notes which indices a load created. */
class MadeIndices {
  readonly #target: TargetCalls
  readonly #upload: Pick<Upload, 'begun' | 'complete'>
  readonly #names = new Set<string>()

  constructor(target: TargetCalls, upload: Pick<Upload, 'begun' | 'complete'>) {
    this.#target = target
    this.#upload = upload
  }

  async call(method: keyof TargetCalls, parameters: readonly unknown[]): Promise<unknown> {
    // the parameters come from our own code in the thread
    const run = this.#target[method] as (...given: readonly unknown[]) => Promise<unknown>
    if (method === 'createIndex') await this.#upload.begun(String(parameters[0]))
    if (method === 'replaceIndex' || method === 'putReference') await this.#upload.complete()
    // from here on, it may be all there is
    if (method === 'replaceIndex') this.#names.delete(String(parameters[1]))
    const value = await run(...parameters)
    if (method === 'createIndex') this.#names.add(String(parameters[0]))
    if (method === 'dropIndex') this.#names.delete(String(parameters[0]))
    return value
  }

  async drop(): Promise<void> {
    // the cause is thrown by the caller; an engine that is gone cannot drop an index
    for (const name of this.#names) await this.#target.dropIndex(name).catch(() => undefined)
  }
}

function problemOf(fault: Exclude<LoadFault, { kind: 'target' }>, { name }: LoadJob): Error {
  switch (fault.kind) {
    case 'exists':
      return problem('CONFLICT', { name: fault.subject, reason: inParameters(fault.reason) })
    case 'index-name':
      return problem('INVALID_PARAMETER', {
        parameter: 'name',
        reason: 'must be a name of an index: lower case, without white space, and not beginning with -, _ or +',
        value: fault.name,
      })
    case 'input':
      return problem('INVALID_FILE', { reason: inParameters(fault.message) })
    case 'damaged':
      return problem('INVALID_FILE', { reason: `${name} cannot be read, it may be damaged: ${fault.message}` })
  }
}

function threadProblem(error: Error, memoryMiB: number): Error {
  if (!('code' in error) || error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return problem('LIMIT_EXCEEDED', {
    parameter: 'body',
    reason: `must not need more than ${memoryMiB} MiB of memory to be read; convert it to another format`,
    setting: 'limits.loadMemoryMiB',
  })
}

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/--(?:replace|append)\b/g, '$&=true'],
  [/--index and --collection\b/g, 'name'],
  [/--(?:index|collection)\b/g, 'name'],
  [/--no-collection\b/g, 'collection=false'],
  [/--date-order (\w)/g, 'dateOrder=$1'],
  [/--crs (EPSG)/g, 'crs=$1'],
]

/** Faults of the input name options of the command line; a request has parameters instead. */
function inParameters(text: string): string {
  const spelled = SPELLINGS.reduce((result, [option, parameter]) => result.replaceAll(option, parameter), text)
  const named = spelled.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_whole, option: string) =>
    option.replaceAll(/-([a-z])/g, (_part, letter: string) => letter.toUpperCase()),
  )
  return named.replace(/\.$/, '')
}
