import { problem } from '../errors.ts'

const FORBIDDEN = /[\\/*?"<>|\s,#:]/
const LONGEST = 255

/** Validates the name of a new index by the rules of Elasticsearch; throws INVALID_INDEX with the broken rule. */
export function checkIndexName(name: string): void {
  const reason = brokenRule(name)
  if (reason !== undefined) throw problem('INVALID_INDEX', { parameter: 'index name', reason, value: name })
}

/** True if the text is a valid index name or a pattern with `*`. */
export function isIndexPattern(text: string): boolean {
  return brokenRule(text.replaceAll('*', 'x')) === undefined
}

function brokenRule(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (name === '.' || name === '..') return 'must not be . or ..'
  if (/^[-_+]/.test(name)) return 'must not start with -, _ or +'
  if (FORBIDDEN.test(name) || hasControl(name)) return 'must not contain white space or any of \\ / * ? " < > | , # :'
  if (name !== name.toLowerCase()) return 'must be in lower case'
  if (Buffer.byteLength(name) > LONGEST) return `must not be longer than ${LONGEST} bytes`
  return undefined
}

const hasControl = (name: string): boolean => [...name].some((c) => c < ' ' || c === '\u007f')
