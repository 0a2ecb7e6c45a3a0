import type { Json, JsonObject } from '../../model/json/document.ts'
import { setOwn } from '../../model/json/json-object.ts'

/**
 * The flat form (spec 5.4): keys joined with `_`, array elements by index; nulls and empty values are removed; of equal
 * keys the first in document order is kept.
 */
export function flatten(object: JsonObject): JsonObject {
  const flat: Record<string, Json> = {}
  addMembers(flat, '', object)
  return flat
}

function addMembers(flat: Record<string, Json>, prefix: string, value: JsonObject | readonly Json[]): void {
  if (isArray(value)) for (let i = 0; i < value.length; i++) addMember(flat, `${prefix}${i}`, value[i])
  else for (const key in value) addMember(flat, prefix + key, value[key])
}

function addMember(flat: Record<string, Json>, name: string, member: Json | undefined): void {
  if (typeof member === 'object' && member !== null) addMembers(flat, `${name}_`, member)
  else if (member !== null && member !== undefined && !Object.hasOwn(flat, name)) setOwn(flat, name, member)
}

const isArray = (value: JsonObject | readonly Json[]): value is readonly Json[] => Array.isArray(value)
