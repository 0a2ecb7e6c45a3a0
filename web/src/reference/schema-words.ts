import { nameOf, type Resolve, type Schema } from './openapi.ts'

/** The type of a schema in a few words: `string`, `integer[]`, `Hit | null`. */
export function typeWords(schema: Schema, resolve: Resolve): string {
  const name = nameOf(schema)
  if (name !== undefined) return name
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) return distinct(schema.anyOf.map((one) => typeWords(one, resolve)))
  if (schema.allOf !== undefined) return schema.allOf.map((one) => typeWords(one, resolve)).join(' & ')
  if (schema.enum !== undefined && schema.type === undefined)
    return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const types = [schema.type ?? 'any'].flat()
  const item = schema.items === undefined ? 'any' : typeWords(schema.items, resolve)
  return distinct(types.map((type) => (type === 'array' ? `${item.includes(' ') ? `(${item})` : item}[]` : type)))
}

const distinct = (words: readonly string[]): string => [...new Set(words)].join(' | ')

/** Bounds, words, format and default of a value. */
export function ruleWords(schema: Schema, resolve: Resolve): readonly string[] {
  const { minimum, maximum, format, default: usual, enum: words } = resolve(schema)
  const isWhole = format === 'int32' || format === 'int64'
  return [
    ...(words === undefined || words.length > 12 ? [] : [words.map(String).join(', ')]),
    ...(minimum === undefined || minimum <= -2147483648 ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined || maximum >= 2147483647 ? [] : [`at most ${maximum}`]),
    ...(format === undefined || isWhole ? [] : [format]),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
  ]
}

export interface Member {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly isDeprecated: boolean
}

/** Members of the objects that a schema describes, also through references, lists and alternatives. */
export function membersOf(schema: Schema, resolve: Resolve, above: readonly Schema[] = []): readonly Member[] {
  const plain = resolve(schema)
  if (above.includes(plain)) return []
  const inner = [...(plain.anyOf ?? []), ...(plain.allOf ?? []), ...(plain.items === undefined ? [] : [plain.items])]
  const own = Object.entries(plain.properties ?? {}).map(([name, member]) => ({
    name,
    schema: member,
    isRequired: plain.required?.includes(name) === true,
    isDeprecated: member.deprecated === true || resolve(member).deprecated === true,
  }))
  const map = plain.additionalProperties
  const values = typeof map === 'object' ? [{ name: '[key]', schema: map, isRequired: false, isDeprecated: false }] : []
  const all = [...own, ...values, ...inner.flatMap((one) => membersOf(one, resolve, [...above, plain]))]
  return all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i)
}
