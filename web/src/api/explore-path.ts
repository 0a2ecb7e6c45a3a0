import type { Parameter } from '../filters/chip.ts'

/** Returns the path of an operation on a collection. */
export function explorePath(collection: string, operation: string, parameters: readonly Parameter[] = []): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&')
  return `explore/${encodeURIComponent(collection)}/${operation}${query === '' ? '' : `?${query}`}`
}
