import { isSchema, type Schema } from './described-route.ts'

/**
 * A schema of requests with `null` allowed wherever the server takes it for an absent member (spec 1.3.3): members that
 * are not required, and the values of maps. Referenced schemas are treated on their own.
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
