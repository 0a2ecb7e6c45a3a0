import { problem } from '../errors.ts'

const LONGEST = 128
const FORBIDDEN = /[\s\p{Cc}/\\,:*?#"<>|]/u

const RULE =
  'must have 1 to 128 characters, not start with _, and contain no white space, control character or any of / \\ , : * ? # " < > |'

/** Validates a name (spec 4.1). Throws INVALID_COLLECTION. */
export function checkCollectionName(name: string): void {
  if (!isCollectionName(name)) {
    throw problem('INVALID_COLLECTION', { parameter: 'collection_name', value: name, reason: RULE })
  }
}

function isCollectionName(name: string): boolean {
  const length = [...name].length
  return length >= 1 && length <= LONGEST && !name.startsWith('_') && !FORBIDDEN.test(name) && name.isWellFormed()
}
