import { hash } from 'node:crypto'
import { problem } from '../errors.ts'

const FINGERPRINT = 16

/** A short text that differs for different questions. */
export const fingerprint = (question: unknown): string =>
  hash('sha256', JSON.stringify(question), 'base64url').slice(0, FINGERPRINT)

/** Prints the opaque token of a page of a question. */
export const printToken = (question: string, place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([question, ...place])).toString('base64url')

/**
 * Reads the place in a token; `read` returns undefined if it is none. Throws INVALID_PARAMETER for a broken token, or one
 * of another question.
 */
export function readToken<T>(text: string, question: string, read: (place: readonly unknown[]) => T | undefined): T {
  const fail = (reason: string): never => {
    throw problem('INVALID_PARAMETER', { parameter: 'token', value: text, reason })
  }
  const [asked, ...rest] = partsOf(text)
  const place = typeof asked === 'string' ? read(rest) : undefined
  if (place === undefined) return fail('must be a token from a link to another page')
  return asked === question ? place : fail('belongs to a request with other parameters')
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
