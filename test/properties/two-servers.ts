import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { startClusterServer } from '../support/cluster-server.ts'
import { startEmbeddedServer } from '../support/embedded-server.ts'
import { type Answer, type Call, call } from '../support/http-client.ts'
import { dropIndex } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'
import { differences } from './oracle/matchers.ts'
import { tolerant } from './tolerant-answer.ts'

/** A server on each engine, with the same documents. */
export interface TwoServers {
  /** Collection of the documents, unique to this run. */
  readonly name: string
  /**
   * Sends a request to both. The responses, or the part that `read` selects, must be equal except for differences that
   * the specification allows.
   */
  readonly ask: (request: Call, read?: (answer: unknown) => unknown) => Promise<Both>
  readonly stop: () => Promise<void>
}

/** Returns the responses to one request, by engine. */
interface Both {
  readonly embedded: Answer
  readonly cluster: Answer
}

/**
 * `load` loads the documents into the index and collection of the given name, or into two indices that end with `_1`
 * and `_2`.
 */
export async function startTwoServers(
  clusterUrl: string,
  load: (server: RunningServer, name: string) => Promise<unknown>,
): Promise<TwoServers> {
  const name = `t-differential-${randomUUID().slice(0, 8)}`
  const [embedded, cluster] = await Promise.all([startEmbeddedServer(), startClusterServer(clusterUrl)])
  const stop = async (): Promise<void> => {
    for (const index of ['', '_1', '_2'].map((end) => name + end)) await dropIndex(cluster.base, index)
    await Promise.all([embedded.stop(), cluster.stop()])
  }
  try {
    await load(embedded, name)
    await load(cluster, name)
  } catch (error) {
    await stop()
    throw error
  }
  return { name, stop, ask: (request, read) => ask(embedded, cluster, request, read) }
}

async function ask(
  embedded: RunningServer,
  cluster: RunningServer,
  request: Call,
  read: (answer: unknown) => unknown = withoutTimes,
): Promise<Both> {
  const [first, second] = await Promise.all([call(embedded.base, request), call(cluster.base, request)])
  const shown = `${request.method ?? 'GET'} ${decodeURI(request.path)} ${JSON.stringify(request.body) ?? ''}`
  const status = `${shown}\nembedded ${first.text.slice(0, 600)}\ncluster ${second.text.slice(0, 600)}`
  expect(second.status, status).toBe(first.status)
  const [wanted, given] = [jsonOf(first, embedded), jsonOf(second, cluster)]
  if (first.status !== 200) expect(codeOf(given), status).toBe(codeOf(wanted))
  else expect(differences(tolerant(read(wanted)), read(given)).slice(0, 5), shown).toEqual([])
  return { embedded: first, cluster: second }
}

/** Removes the server address from links. */
const jsonOf = ({ text }: Answer, { base }: RunningServer): unknown =>
  text === '' ? undefined : JSON.parse(text.replaceAll(base, ''))

function codeOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
}

function withoutTimes(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  const { query_time: _, total_time: __, ...rest } = answer as Readonly<Record<string, unknown>>
  return rest
}
