import { isSchema, type Schema } from './described-route.ts'

/**
 * Returns a request schema that allows `null` wherever the server treats it as absent (spec 1.3.3): optional members
 * and values of maps. Does not follow references.
 */
export function acceptNull(schema: Schema): Schema {
  const { properties, required, items, additionalProperties, anyOf } = schema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return {
    ...schema,
    ...(isSchema(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, member]) => {
              const inner = isSchema(member) ? acceptNull(member) : member
              return [key, needed.includes(key) || !isSchema(inner) ? inner : orNull(inner)]
            }),
          ),
        }
      : {}),
    ...(isSchema(items) ? { items: acceptNull(items) } : {}),
    ...(isSchema(additionalProperties) ? { additionalProperties: orNull(acceptNull(additionalProperties)) } : {}),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((one) => (isSchema(one) ? acceptNull(one) : one)) } : {}),
  }
}

const NULL = { type: 'null' }

function orNull(schema: Schema): Schema {
  const { type, enum: words, anyOf, $ref, const: word, ...rest } = schema
  if ($ref !== undefined) return { ...rest, anyOf: [{ $ref }, NULL] }
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, NULL] }
  if (word !== undefined) return { ...rest, anyOf: [{ ...(type === undefined ? {} : { type }), const: word }, NULL] }
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...[type].flat(), 'null'] }),
    ...(Array.isArray(words) ? { enum: [...words, null] } : {}),
  }
}
