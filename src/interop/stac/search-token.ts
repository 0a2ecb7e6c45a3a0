import { problem } from '../../errors.ts'

/** How far the items of a collection were returned: the cursor of the last one, or true if all were. */
export type Position = string | true

/** Prints the opaque token of the next page. */
export const printSearchToken = (positions: ReadonlyMap<string, Position>, question: string): string =>
  Buffer.from(JSON.stringify([question, Object.fromEntries(positions)])).toString('base64url')

/** Reads a token. Throws INVALID_PARAMETER for a broken one, or one of another question. */
export function readSearchToken(text: string, question: string): ReadonlyMap<string, Position> {
  const fail = (reason: string): never => {
    throw problem('INVALID_PARAMETER', { parameter: 'token', value: text, reason })
  }
  const broken = 'must be a token from a link to another page'
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return fail(broken)
  }
  const [asked, positions] = Array.isArray(parts) ? parts : []
  if (typeof asked !== 'string' || typeof positions !== 'object' || positions === null) return fail(broken)
  const entries = Object.entries<unknown>(positions)
  if (!entries.every((entry): entry is [string, Position] => typeof entry[1] === 'string' || entry[1] === true)) {
    return fail(broken)
  }
  if (asked !== question) return fail('belongs to a request with other parameters')
  return new Map(entries)
}
