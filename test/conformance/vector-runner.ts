import { randomUUID } from 'node:crypto'
import { type Answer, call, queryText } from '../support/http-client.ts'
import { PATIENT } from '../support/patience.ts'
import { checkAnswer, checkAssertion, type Failure, regex } from './assertions.ts'
import { stepsOf } from './filter-vectors.ts'
import { type Fixture, makeFixture } from './fixtures.ts'
import { interpolate } from './interpolation.ts'
import { missing, select } from './json-pointer.ts'
import type { ReceivedNotification } from './notification-receiver.ts'
import type { CallbackExpectation, Step, Vector } from './vector.ts'

/** Context of a run in addition to the server. */
interface VectorEnvironment {
  readonly variables?: Readonly<Record<string, unknown>>
  /** Returns the notifications received at an address, for vectors that wait for them. */
  readonly received?: (url: string) => readonly ReceivedNotification[]
}

interface Context {
  readonly base: string
  readonly received: VectorEnvironment['received']
  readonly variables: Map<string, unknown>
  readonly fixture: Fixture | undefined
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A form with files, as sent by browsers. */
function multipart(form: Readonly<Record<string, unknown>>): { body: string; type: string } {
  const boundary = `----periplus${randomUUID()}`
  const parts = Object.entries(form).map(([name, value]) => {
    const content = typeof value === 'string' ? value : JSON.stringify(value)
    const head = `Content-Disposition: form-data; name="${name}"; filename="${name}.json"`
    return `--${boundary}\r\n${head}\r\nContent-Type: application/json\r\n\r\n${content}\r\n`
  })
  return { body: `${parts.join('')}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` }
}

function bodyOf(step: Step): { body?: string; type?: string } {
  if (step.form !== undefined) return multipart(step.form)
  if (step.rawBody !== undefined) return { body: step.rawBody, type: 'application/json' }
  return step.body === undefined ? {} : { body: JSON.stringify(step.body), type: 'application/json' }
}

/** Escapes non-ASCII characters of JSON in a header with \u, because header values are ASCII. */
const ascii = (text: string): string =>
  String(text).replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

function urlOf(step: Step, base: string): URL {
  const address = step.url ?? `${base}${step.target === 'ingest' ? '/index' : ''}${step.path ?? ''}`
  const query = step.rawQuery ?? queryText(step.query ?? [])
  return new URL(query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`)
}

function send(step: Step, base: string): Promise<Answer> {
  const url = urlOf(step, base)
  const { body, type } = bodyOf(step)
  const headers: Record<string, string> = { accept: '*/*' }
  if (type !== undefined) headers['content-type'] = type
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name.toLowerCase()] = ascii(value)
  return call(url.origin, { method: step.method ?? 'GET', path: url.pathname + url.search, headers, body })
}

/** Saves the values that a step requests. A missing value is a failure. */
function save(step: Step, answer: Answer, variables: Map<string, unknown>): Failure {
  for (const [name, from] of Object.entries(step.save ?? {})) {
    const value = typeof from === 'string' ? select(answer.json(), from)[0] : answer.headers[from.header]
    if (value === undefined || value === missing)
      return `${JSON.stringify(from)} expected to save as ${name}, got nothing`
    variables.set(name, value)
  }
  return undefined
}

function checkCallbacks({ count, json = [], headers = {} }: CallbackExpectation, context: Context): Failure {
  const list = context.received?.(String(context.variables.get('callback'))) ?? []
  const bodies = list.map(({ body }) => body)
  if (count !== undefined && list.length !== count) {
    return `${count} notifications expected, got ${list.length} ${JSON.stringify(bodies)}`
  }
  for (const assertion of json) {
    const failure = checkAssertion(assertion, bodies)
    if (failure !== undefined) return failure
  }
  for (const [name, pattern] of Object.entries(headers)) {
    const wrong = list.find((one) => !regex(pattern).test(String(one.headers[name] ?? '')))
    if (wrong !== undefined) return `notification header ${name} expected ${pattern}, got ${wrong.headers[name]}`
  }
  return undefined
}

async function attempt(step: Step, context: Context): Promise<Failure> {
  if (step.callbacks !== undefined) return checkCallbacks(step.callbacks, context)
  const answer = await send(step, context.base)
  return checkAnswer(step.expect ?? {}, answer) ?? save(step, answer, context.variables)
}

const stepKeys: ReadonlySet<string> = new Set([
  'method',
  'path',
  'url',
  'target',
  'query',
  'rawQuery',
  'headers',
  'body',
  'rawBody',
  'form',
  'wait',
  'save',
  'load',
  'pause',
  'callbacks',
  'expect',
])

async function runStep(step: Step, context: Context): Promise<Failure> {
  const unknown = Object.keys(step).find((k) => !stepKeys.has(k))
  if (unknown !== undefined) throw new Error(`unknown step member '${unknown}'`)
  if (step.pause !== undefined) await sleep(step.pause)
  if (step.load !== undefined) {
    await context.fixture?.reload()
    return undefined
  }
  const patience = step.wait === true ? PATIENT.timeout : Number(step.wait ?? 0)
  const until = Date.now() + patience
  for (;;) {
    const failure = await attempt(step, context)
    if (failure === undefined || Date.now() >= until) return failure
    await sleep(100)
  }
}

function describeStep(step: Step): string {
  const query = step.rawQuery ?? (step.query ?? []).map((p) => p.join('=')).join('&')
  return `${step.method ?? 'GET'} ${step.url ?? step.path ?? step.load ?? 'notifications'}${query === '' ? '' : `?${query}`}`
}

/** Runs one vector. Returns the failure and the request at which it occurred, undefined if it passes. */
export async function runVector(
  vector: Vector,
  base: string,
  run: string,
  { variables: given, received }: VectorEnvironment = {},
): Promise<Failure> {
  const fixture = await makeFixture(base, vector, run)
  const variables = new Map<string, unknown>(Object.entries({ run, base, ...given, ...fixture?.variables }))
  try {
    for (const [i, raw] of stepsOf(vector).entries()) {
      // Interpolation keeps the structure, so a step stays a step.
      const step = interpolate(raw, variables) as Step
      const failure = await runStep(step, { base, received, variables, fixture })
      if (failure !== undefined) return `step ${i + 1} ${describeStep(step)}: ${failure}`
    }
    return undefined
  } finally {
    await fixture?.remove()
  }
}
