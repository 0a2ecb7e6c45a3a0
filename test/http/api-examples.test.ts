import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CollectionDescription, Hits } from '../../web/src/api/answers.ts'
import { bodyToSend, type Call, callOf } from '../../web/src/reference/call.ts'
import { exampleOf, type Known, learnedFrom } from '../../web/src/reference/examples.ts'
import type { OpenApi } from '../../web/src/reference/openapi.ts'
import { groupsOf, isChange, type NamedOperation } from '../../web/src/reference/operations.ts'
import { type Sample, sampleOf } from '../../web/src/reference/sample.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/** Examples need what others made: indices come first, deletions last. */
const FIRST = [
  ...['createIndex', 'bulkIndex', 'putCollection', 'tagDocuments', 'createSubscription', 'postEvents'],
  ...['adminCreateSubscription', 'testSubscription'],
]
const LAST = [
  ...['loadFile', 'putFile', 'replaceIndex'],
  ...['deleteDocument', 'deleteSubscription', 'adminDeleteSubscription', 'deleteCollection', 'dropIndex'],
]

/** An example that finds nothing shows nothing. */
const NOTHING = /"(totalnb|count)": ?0\b|"(hits|elements|features|suggestions)": ?\[\]|"errors": ?true/

let server: ServerProcess
let operations: readonly NamedOperation[]
let sample: Sample
let known: Known = {}

beforeAll(async () => {
  server = await startServerProcess({ flags: ['--demo', '--log-level', 'warn', '--set', 'egress.only=true'] })
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${server.base}/${path}`)).json()) as T
  operations = groupsOf(await get<OpenApi>('openapi.json')).flatMap((group) => group.operations)
  const description = await get<CollectionDescription>('explore/earthquakes/_describe')
  const { hits } = await get<Hits>('explore/earthquakes/_search?size=1')
  if (hits[0] === undefined) throw new Error('the sample data are missing')
  sample = sampleOf(description, hits[0])
})
afterAll(async () => {
  await server.stop()
  await server.removeData()
})

interface Sent {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function send(call: Call): Promise<Sent> {
  const { method, headers } = call
  const body = bodyToSend(call)
  const response = await fetch(`${server.base}/${call.path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  const text = isEndless(response) ? await firstPart(response) : await response.text()
  return { status: response.status, type: response.headers.get('content-type') ?? '', text }
}

const isEndless = (response: Response): boolean =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true

async function firstPart(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const part = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(part?.value)
}

test('every example of the API page runs on the server that shows it', async () => {
  const place = ({ id }: NamedOperation): number =>
    FIRST.includes(id) ? FIRST.indexOf(id) : LAST.includes(id) ? 100 + LAST.indexOf(id) : 50
  const failed: string[] = []
  const empty: string[] = []
  for (const operation of operations.toSorted((a, b) => place(a) - place(b))) {
    const example = exampleOf(operation, sample, known)
    const { text: body = '', type: media } = example.body ?? {}
    const call = callOf(operation, { values: example.values, body, type: media })
    const { status, type, text } = await send(call)
    // the redelivery before this one may still be running
    if (operation.id === 'adminRedeliver' && text.includes('DELIVERY_IN_PROGRESS')) continue
    if (status >= 400) failed.push(`${operation.id}: ${call.method} ${call.path} ${text.slice(0, 200)}`)
    else if (/^(explore|ogc|index)\//.test(call.path) && NOTHING.test(text)) {
      empty.push(`${operation.id}: ${call.path} ${text.slice(0, 200)}`)
    }
    if (type.includes('json')) known = learnedFrom(operation, JSON.parse(text), known)
  }
  expect(failed).toEqual([])
  expect(empty).toEqual([])
})

test('examples that change something name only what examples made', () => {
  for (const operation of operations.filter(isChange)) {
    const { values, body } = exampleOf(operation, sample, known)
    const { collection, index } = values
    for (const name of [collection, index])
      expect(['example-harbours', 'false', undefined], operation.id).toContain(name)
    if (!operation.path.includes('subscriptions')) expect(body?.text ?? '', operation.id).not.toContain('earthquakes')
  }
})
