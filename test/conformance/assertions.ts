import type { Answer } from '../support/http-client.ts'
import { checkFile } from './file-assertions.ts'
import { equal, isMap, kindOf, near, positionsOf, sizeOf } from './json-comparison.ts'
import { missing, select } from './json-pointer.ts'
import type { Assertion, Expectation } from './vector.ts'

/** Description of the failure, undefined if there is none. */
export type Failure = string | undefined

type Check<T> = (got: T, want: unknown, assertion: Assertion) => true | string

export const regex = (source: string): RegExp =>
  source.startsWith('(?i)') ? new RegExp(source.slice(4), 'isu') : new RegExp(source, 'su')

const show = (v: unknown): string => (v === missing ? 'nothing' : (JSON.stringify(v) ?? String(v)))

const tolerance = (a: Assertion): number => a.within ?? 1e-6

function listOf(want: unknown): readonly unknown[] {
  if (!Array.isArray(want)) throw new Error(`a list was expected in an assertion, got ${show(want)}`)
  return want
}

function boundsOf(v: unknown): readonly number[] | undefined {
  const positions = positionsOf(v)
  if (positions.length === 0) return undefined
  const xs = positions.map((p) => p[0] ?? Number.NaN)
  const ys = positions.map((p) => p[1] ?? Number.NaN)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Checks that every selected value must pass. */
const eachChecks: Readonly<Record<string, Check<unknown>>> = {
  equals: (v, w) => equal(v, w) || show(w),
  everyIn: (v, w) => listOf(w).some((x) => equal(v, x)) || `one of ${show(w)}`,
  approx: (v, w, a) => near(v, w, tolerance(a)) || `about ${show(w)}`,
  min: (v, w) => (typeof v === 'number' && v >= Number(w)) || `at least ${show(w)}`,
  max: (v, w) => (typeof v === 'number' && v <= Number(w)) || `at most ${show(w)}`,
  matches: (v, w) => (typeof v === 'string' && regex(String(w)).test(v)) || `text matching ${show(w)}`,
  type: (v, w) => (w === 'integer' ? Number.isInteger(v) : kindOf(v) === w) || String(w),
  length: (v, w) => sizeOf(v) === w || `length ${show(w)}, not ${sizeOf(v)}`,
  keys: (v, w) =>
    (isMap(v) && equal(Object.keys(v).sort(), [...listOf(w)].map(String).sort())) || `exactly the keys ${show(w)}`,
  hasKeys: (v, w) => (isMap(v) && listOf(w).every((k) => Object.hasOwn(v, String(k)))) || `the keys ${show(w)}`,
  closed: (v) => (Array.isArray(v) && v.length > 3 && equal(v[0], v.at(-1))) || 'a closed ring',
  present: (v) => v !== null || 'a value',
  bounds: (v, w, a) => near(boundsOf(v), w, tolerance(a)) || `extent ${show(w)}, not ${show(boundsOf(v))}`,
}

const sortKey = (v: unknown): string => JSON.stringify(v)
const sorted = (list: readonly unknown[]): readonly unknown[] => list.map(sortKey).sort()

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function containsInOrder(list: readonly unknown[], wanted: readonly unknown[]): boolean {
  let next = 0
  for (const x of list) if (next < wanted.length && equal(x, wanted[next])) next++
  return next === wanted.length
}

const sumOf = (list: readonly unknown[]): number => list.reduce<number>((s, v) => s + Number(v), 0)

/** Checks of the list of all selected values. */
const listChecks: Readonly<Record<string, Check<readonly unknown[]>>> = {
  set: (l, w) => equal(sorted(l), sorted(listOf(w))) || `the set ${show(w)}`,
  list: (l, w) => equal(l, w) || `the list ${show(w)}`,
  includes: (l, w) => listOf(w).every((x) => l.some((y) => equal(x, y))) || `to include ${show(w)}`,
  excludes: (l, w) => !listOf(w).some((x) => l.some((y) => equal(x, y))) || `to exclude ${show(w)}`,
  inOrder: (l, w) => containsInOrder(l, listOf(w)) || `in this order ${show(w)}`,
  order: (l, w) =>
    l.every((v, i) => i === 0 || compareValues(l[i - 1], v) * (w === 'desc' ? -1 : 1) <= 0) || `${show(w)}ending order`,
  sum: (l, w, a) => Math.abs(sumOf(l) - Number(w)) <= tolerance(a) || `a sum of ${show(w)}, not ${sumOf(l)}`,
  total: (l, w) => l.length === w || `${show(w)} values, not ${l.length}`,
  distinct: (l) => new Set(l.map(sortKey)).size === l.length || 'no value twice',
}

const plainKeys: ReadonlySet<string> = new Set(['at', 'of', 'within', 'absent', 'empty'])

/** Checks one assertion on a response. Throws for an unknown check, which would otherwise seem to pass. */
export function checkAssertion(a: Assertion, root: unknown): Failure {
  const names = Object.keys(a).filter((k) => !plainKeys.has(k))
  const unknown = names.find((k) => !(k in eachChecks) && !(k in listChecks))
  if (unknown !== undefined) throw new Error(`unknown check '${unknown}'`)
  if (names.length === 0 && !a.absent && !a.empty) throw new Error(`no check in ${show(a)}`)

  const where = a.at + (a.of === undefined ? '' : (a.at.includes('*') ? '' : '/*') + a.of)
  const got = select(root, where)
  const found = got.filter((v) => v !== missing)
  const fail = (expected: string, value: unknown): string =>
    `${where || '/'} expected ${expected}, got ${show(value).slice(0, 2000)}`
  const wanted = (name: string): unknown => {
    const w = a[name]
    return isMap(w) && typeof w.ref === 'string' ? select(root, w.ref)[0] : w
  }

  const kept = found.filter((v) => v !== null)
  if (a.absent && kept.length > 0) return fail('nothing', kept[0])
  if (a.empty) {
    const extra = kept.find((v) => sizeOf(v) !== 0)
    if (extra !== undefined) return fail('nothing or an empty value', extra)
  }
  const each = names.filter((k) => k in eachChecks)
  if (each.length > 0 && got.length === 0) return fail('at least one value', missing)
  for (const v of got) {
    for (const name of each) {
      if (v === missing) return fail(name === 'present' ? 'a value' : `${name} ${show(wanted(name))}`, v)
      const result = eachChecks[name]?.(v, wanted(name), a)
      if (result !== true) return fail(String(result), v)
    }
  }
  for (const name of names.filter((k) => k in listChecks)) {
    const result = listChecks[name]?.(found, wanted(name), a)
    if (result !== true) return fail(String(result), found)
  }
  return undefined
}

const expectationKeys: ReadonlySet<string> = new Set([
  'status',
  'headers',
  'error',
  'message',
  'json',
  'text',
  'notText',
  'count',
  'png',
  'zip',
])

function checkErrorBody(answer: Answer, json: unknown): Failure {
  const type = answer.headers['content-type'] ?? 'nothing'
  if (!type.startsWith('application/json')) return `content-type of an error expected application/json, got ${type}`
  const ok =
    isMap(json) &&
    json.status === answer.status &&
    typeof json.message === 'string' &&
    json.message !== '' &&
    typeof json.error === 'string' &&
    /^[A-Z][A-Z0-9_]*$/.test(json.error)
  return ok ? undefined : `error body expected {status: ${answer.status}, message, error}, got ${answer.text}`
}

function checkHeaders(expected: Readonly<Record<string, string | null>>, answer: Answer): Failure {
  for (const [name, source] of Object.entries(expected)) {
    const value = answer.headers[name.toLowerCase()]
    const ok = source === null ? value === undefined : value !== undefined && regex(source).test(String(value))
    if (!ok) return `header ${name} expected ${source ?? 'to be absent'}, got ${String(value)}`
  }
  return undefined
}

function checkText(expect: Expectation, text: string): Failure {
  for (const re of [expect.text ?? []].flat()) if (!regex(re).test(text)) return `body expected to match ${re}: ${text}`
  for (const re of [expect.notText ?? []].flat()) if (regex(re).test(text)) return `body must not match ${re}: ${text}`
  for (const [re, n] of Object.entries(expect.count ?? {})) {
    const found = [...text.matchAll(new RegExp(re, 'gsu'))].length
    if (found !== n) return `${n} matches of ${re} expected, got ${found}`
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return missing
  }
}

function memberText(json: unknown, key: string): string {
  return isMap(json) ? String(json[key]) : ''
}

/** Checks a response against the expectation of a step. */
export function checkAnswer(expect: Expectation, answer: Answer): Failure {
  const unknown = Object.keys(expect).find((k) => !expectationKeys.has(k))
  if (unknown !== undefined) throw new Error(`unknown expectation '${unknown}'`)
  const statuses = [expect.status ?? 200].flat()
  if (!statuses.includes(answer.status)) {
    return `status expected ${statuses.join(' or ')}, got ${answer.status} ${answer.text.slice(0, 1000)}`
  }
  const needsJson = expect.json ?? expect.error ?? expect.message ?? answer.status >= 400
  const json = needsJson === false ? undefined : parseJson(answer.text)
  if (json === missing) return `body expected to be JSON, got ${answer.text.slice(0, 1000)}`
  const first =
    checkHeaders(expect.headers ?? {}, answer) ?? (answer.status >= 400 ? checkErrorBody(answer, json) : undefined)
  if (first !== undefined) return first
  if (expect.error !== undefined && !regex(`^(?:${expect.error})$`).test(memberText(json, 'error'))) {
    return `error expected ${expect.error}, got ${answer.text}`
  }
  if (expect.message !== undefined && !regex(expect.message).test(memberText(json, 'message'))) {
    return `message expected to match ${expect.message}, got ${answer.text}`
  }
  for (const assertion of expect.json ?? []) {
    const failure = checkAssertion(assertion, json)
    if (failure !== undefined) return failure
  }
  return checkText(expect, answer.text) ?? checkFile(expect, answer.bytes)
}
