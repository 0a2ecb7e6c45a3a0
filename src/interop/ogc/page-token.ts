import { hash } from 'node:crypto'
import { problem } from '../../errors.ts'

/** The position of a page: the sort values of the hit before or after it. */
export interface PagePlace {
  readonly direction: 'after' | 'before'
  readonly cursor: string
}

const FINGERPRINT = 16

/** A short text that differs for different questions. */
export const fingerprint = (question: unknown): string =>
  hash('sha256', JSON.stringify(question), 'base64url').slice(0, FINGERPRINT)

/** Prints the opaque token of a page. */
export function printToken({ direction, cursor }: PagePlace, question: string): string {
  return Buffer.from(JSON.stringify([question, direction === 'after' ? 'a' : 'b', cursor])).toString('base64url')
}

/** Reads a token. Throws INVALID_PARAMETER for a broken one, or one of another question. */
export function readToken(text: string, question: string): PagePlace {
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
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string')) {
    return fail(broken)
  }
  const [asked = '', direction = '', cursor = ''] = parts as readonly string[]
  if (direction !== 'a' && direction !== 'b') return fail(broken)
  if (asked !== question) return fail('belongs to a request with other parameters')
  return { direction: direction === 'a' ? 'after' : 'before', cursor }
}
