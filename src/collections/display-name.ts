import { problem } from '../errors.ts'

/**
 * Reads the body of PATCH display_names/collection: a JSON string or raw text, because public clients send both (spec
 * 4.6). Throws INVALID_BODY for a JSON object or array.
 */
export function readDisplayName(text: string): string {
  if (text.trim() === '') throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  const value = parseJson(text)
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) {
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be a string', value: text })
  }
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the raw text is the name.
    return undefined
  }
}
