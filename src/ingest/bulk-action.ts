import { problem } from '../errors.ts'
import type { Json } from '../model/json/document.ts'
import { isJsonObject } from '../model/json/json-object.ts'
import type { BulkLines } from './bulk-lines.ts'
import { NOT_UTF8, parseJsonText } from './parse-document.ts'

const bulkActions = ['index', 'create', 'update', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** A parsed action line. */
interface ActionLine {
  readonly action: BulkAction
  readonly index: string
  readonly id?: string
}

/** Unsupported conditions and features of Elasticsearch. An error, since ignoring one would change what is written. */
const REFUSED = ['if_seq_no', 'if_primary_term', 'version', 'version_type', 'pipeline']

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The bytes before and after the id of an action line, with the parsed action and index. */
interface ActionShape {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly action: BulkAction
  readonly index: string
}

/** Reads action lines. Clients usually write all lines alike, so a line that differs only in its id is not parsed. */
export class ActionReader {
  readonly #lines: BulkLines
  readonly #defaultIndex: string | undefined
  #shape: ActionShape | undefined

  constructor(lines: BulkLines, defaultIndex: string | undefined) {
    this.#lines = lines
    this.#defaultIndex = defaultIndex
  }

  read(): ActionLine {
    return this.#readAlike() ?? this.#parse()
  }

  #readAlike(): ActionLine | undefined {
    const shape = this.#shape
    if (shape === undefined) return undefined
    const { body, start, end } = this.#lines
    const { before, after, action, index } = shape
    const first = start + before.length
    const last = end - after.length
    if (last <= first || !isAt(body, start, before) || !isAt(body, last, after)) return undefined
    for (let at = first; at < last; at++) {
      const byte = body[at] ?? 0
      if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return undefined
    }
    return { action, index, id: body.toString('latin1', first, last) }
  }

  #parse(): ActionLine {
    const { text, number } = this.#lines
    const line = parseAction(text, number, this.#defaultIndex)
    if (this.#lines.allUtf8 && text !== undefined && line.id !== undefined) this.#shape = shapeOf(text, line)
    return line
  }
}

/** Returns the text around the id, or undefined if the id occurs more than once or elsewhere than in `_id`. */
function shapeOf(text: string, { action, index, id }: ActionLine): ActionShape | undefined {
  const quoted = JSON.stringify(id)
  const at = text.indexOf(quoted)
  if (at < 0 || text.indexOf(quoted, at + 1) >= 0) return undefined
  const before = text.slice(0, at + 1)
  const after = text.slice(at + quoted.length - 1)
  const probe = parseJsonText(`${before}${PROBE}${after}`)
  const metadata = typeof probe === 'string' || !isJsonObject(probe.value) ? undefined : probe.value[action]
  if (!isJsonObject(metadata) || metadata._id !== PROBE) return undefined
  return { before: Buffer.from(before), after: Buffer.from(after), action, index }
}

/** Id used to check that replacing the quoted text changes `_id`. */
const PROBE = 'another id'

function isAt(body: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (body[start + i] !== bytes[i]) return false
  return true
}

function parseAction(text: string | undefined, line: number, defaultIndex: string | undefined): ActionLine {
  const parsed = text === undefined ? NOT_UTF8 : parseJsonText(text)
  if (typeof parsed === 'string') throw malformed(line, 'must be JSON', text ?? null)
  const [entry, ...others] = isJsonObject(parsed.value) ? Object.entries(parsed.value) : []
  const action = bulkActions.find((known) => known === entry?.[0])
  if (entry === undefined || action === undefined || others.length > 0) {
    throw malformed(line, `must be an object with one of ${bulkActions.join(', ')}`, text ?? null)
  }
  const metadata = entry[1] ?? {}
  if (!isJsonObject(metadata)) throw malformed(line, `must have an object under ${action}`, text ?? null)
  const refused = REFUSED.find((key) => metadata[key] !== undefined)
  if (refused !== undefined) throw malformed(line, `must not have ${refused}, which is not supported`)
  const index = metadata._index ?? defaultIndex
  if (typeof index !== 'string') throw malformed(line, 'must have an _index')
  const id = metadata._id ?? undefined
  if (id === undefined) {
    if (action === 'update' || action === 'delete') throw malformed(line, `must have an _id to ${action}`)
    return { action, index }
  }
  if (typeof id !== 'string' && typeof id !== 'number') throw malformed(line, 'must have a string as _id', id)
  return { action, index, id: String(id) }
}

export function malformed(line: number, reason: string, value?: Json): Error {
  const parameter = `action line ${line}`
  return problem('INVALID_BODY', { parameter, reason, ...(value === undefined ? {} : { value }) })
}
