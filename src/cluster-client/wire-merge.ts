import type { WireJson, WireObject } from './cluster-client.ts'

/** As a cluster merges a part into a document: objects key by key, anything else is replaced. */
export function mergeWire(before: WireObject, part: WireObject): WireObject {
  const merged: Record<string, WireJson> = { ...before }
  for (const [key, value] of Object.entries(part)) {
    const old = merged[key]
    merged[key] = isWireObject(old) && isWireObject(value) ? mergeWire(old, value) : value
  }
  return merged
}

export const isWireObject = (value: WireJson | undefined): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
