import { namesShape } from '../../../mapping/field-names.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import { readWkb } from './binary-geometry.ts'

/** Converts a row of a columnar file to a document: values that JSON lacks are converted, missing ones left out. */
export function documentOfRow(row: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, Json][] => {
      const json = value instanceof Uint8Array && namesGeometry(name) ? (readWkb(value) ?? null) : toJson(value)
      return json === null ? [] : [[name, json]]
    }),
  )
}

const namesGeometry = (name: string): boolean => namesShape(name) || /^wkb/i.test(name)

/** 64-bit integers beyond 2^53 and bytes become strings, dates ISO strings. */
function toJson(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
    case 'object':
      return value === null ? null : objectToJson(value)
    default:
      return null
  }
}

function objectToJson(value: object): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(toJson)
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, (each) => toJson(each))
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), toJson(member)]))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]))
}
