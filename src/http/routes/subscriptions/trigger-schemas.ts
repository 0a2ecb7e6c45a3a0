import { Type } from 'typebox'
import type { SubscriptionSettings } from '../../../config/settings.ts'
import { defaultTriggerSchema } from '../../../subscriptions/trigger/default-trigger-schema.ts'

const GEOMETRY = 'TriggerGeometry'

/** Returns the trigger schema for the OpenAPI document. A custom schema is not shown. */
export function triggerSchema({ schema: file, keys }: SubscriptionSettings['trigger']) {
  const description = 'Selects events by geometry, collections, event kind, and further keys that events must have.'
  if (file !== undefined) return Type.Unsafe<object>({ type: 'object', description })
  const { properties, additionalProperties, $defs } = defaultTriggerSchema(keys)
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return definition(String(value.$ref).replace('#/$defs/', ''))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]))
  }
  // Geometries are recursive, so their definition needs a name to be referenced by.
  const definition = (name: string): unknown =>
    name === 'geometry'
      ? { $ref: `#/components/schemas/${GEOMETRY}` }
      : inline(($defs as Readonly<Record<string, unknown>>)[name])
  const geometry = { $id: GEOMETRY, description: 'A GeoJSON geometry.', ...Object(inline($defs.geometry)) }
  return Type.Unsafe<object>({
    $id: 'Trigger',
    type: 'object',
    description,
    properties: { ...Object(inline(properties)), [keys.geometry]: geometry },
    additionalProperties: inline(additionalProperties),
  })
}
