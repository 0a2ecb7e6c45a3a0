import type { Json, JsonObject } from '../model/document.ts'
import { setOwn } from './own-property.ts'

/**
 * The flat form (spec 5.4): keys joined with `_`, array elements by index; nulls and what is empty vanish; of two equal
 * keys the first in document order stays.
 */
export function flatten(object: JsonObject): JsonObject {
  const flat: Record<string, Json> = {}
  addMembers(flat, '', object)
  return flat
}

function addMembers(flat: Record<string, Json>, prefix: string, value: JsonObject | readonly Json[]): void {
  for (const [key, member] of Object.entries(value)) {
    const name = prefix + key
    if (typeof member === 'object' && member !== null) addMembers(flat, `${name}_`, member)
    else if (member !== null && member !== undefined && !Object.hasOwn(flat, name)) setOwn(flat, name, member)
  }
}
