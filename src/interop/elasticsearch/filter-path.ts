import { isRecord, setOwn } from '../../model/json/json-object.ts'
import { fault } from './members.ts'

const MOST_PATHS = 100
const MOST_STEPS = 32
const MOST_ANY = 2

/** A path of `filter_path`: names, patterns with `*`, and `**` for any number of names. */
type Steps = readonly string[]

const isAny = (step: string): boolean => step === '**'

/** Keeps the members of an answer that the parameter `filter_path` names. `-` before a path leaves it out. */
export function filterAnswer(answer: object, text: string | undefined): object {
  if (text === undefined) return answer
  const paths = text.split(',').map((path) => path.trim())
  if (paths.length > MOST_PATHS) throw fault('filter_path', `must have at most ${MOST_PATHS} paths`)
  const split = (path: string): Steps => path.split('.')
  const kept = paths.filter((path) => path !== '' && !path.startsWith('-')).map(split)
  const dropped = paths.filter((path) => path.startsWith('-')).map((path) => split(path.slice(1)))
  if ([...kept, ...dropped].some((steps) => steps.length > MOST_STEPS || steps.filter(isAny).length > MOST_ANY)) {
    throw fault('filter_path', `must have paths of at most ${MOST_STEPS} names, ${MOST_ANY} of them **`)
  }
  const remaining = kept.length === 0 ? answer : (keep(answer, kept) ?? {})
  return Object(dropped.length === 0 ? remaining : drop(remaining, dropped))
}

/** The rests of the paths after a member; `[]` for one that ends there. */
function advance(paths: readonly Steps[], name: string): readonly Steps[] {
  const rests = paths.flatMap((steps) => advanceOne(steps, name))
  return rests.length < 2 ? rests : [...new Map(rests.map((steps) => [steps.join('.'), steps])).values()]
}

function advanceOne(steps: Steps, name: string): readonly Steps[] {
  const [first, ...rest] = steps
  if (first === undefined) return []
  if (isAny(first)) return [steps, ...advanceOne(rest, name)]
  return matches(first, name) ? [rest] : []
}

/** Each `*` is matched at the first place, so that no pattern takes long. */
function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > name.length - last.length) return false
    at = found + piece.length
  }
  return true
}

const isWhole = (paths: readonly Steps[]): boolean => paths.some((steps) => steps.length === 0 || steps.every(isAny))

function keep(value: unknown, paths: readonly Steps[]): unknown {
  if (isWhole(paths)) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => keep(item, paths)).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isRecord(value) || JSON.isRawJSON(value)) return undefined
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const rests = advance(paths, name)
    const found = rests.length === 0 ? undefined : keep(member, rests)
    if (found !== undefined) setOwn(kept, name, found)
  }
  return Object.keys(kept).length === 0 ? undefined : kept
}

function drop(value: unknown, paths: readonly Steps[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => drop(item, paths))
  if (!isRecord(value) || JSON.isRawJSON(value)) return value
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const rests = advance(paths, name)
    if (isWhole(rests)) continue
    setOwn(kept, name, rests.length === 0 ? member : drop(member, rests))
  }
  return kept
}
