import type { CollectionDescription, FieldDescription } from './answers.ts'

/** A field of a collection, by path. */
export interface CollectionField {
  readonly path: string
  readonly name: string
  readonly type: string
  readonly indexed: boolean
  readonly taggable: boolean
  /** True if its numbers are names, such as codes and years. */
  readonly isLabel: boolean
}

const NUMBERS = new Set(['LONG', 'INTEGER', 'SHORT', 'BYTE', 'DOUBLE', 'FLOAT'])
const RANKED = new Set(['KEYWORD', 'BOOLEAN', 'IP'])

export const isNumber = ({ type, indexed }: CollectionField): boolean => indexed && NUMBERS.has(type)
export const isRanked = ({ type, indexed }: CollectionField): boolean => indexed && RANKED.has(type)
export const isGeo = ({ type }: CollectionField): boolean => type.startsWith('GEO_')
export const isSortable = (field: CollectionField): boolean =>
  isNumber(field) || isRanked(field) || (field.indexed && field.type === 'DATE')

/** Returns the fields with values, in the order of the description. */
export function fieldsOf({ properties, params }: CollectionDescription): readonly CollectionField[] {
  const names = params.display_names?.fields ?? {}
  const walk = (level: Readonly<Record<string, FieldDescription>>, prefix: string): readonly CollectionField[] =>
    Object.entries(level).flatMap(([key, { type, indexed, taggable, properties: inner }]) => {
      const path = `${prefix}${key}`
      if (type === 'NESTED') return []
      if (inner !== undefined && type === 'OBJECT') return walk(inner, `${path}.`)
      return [
        { path, name: names[path] ?? plainName(path), type, indexed, taggable, isLabel: isLabel(path, params.id_path) },
      ]
    })
  return walk(properties, '')
}

/** Returns the fields that may be tagged, including those without values yet. */
export function taggableFields(description: CollectionDescription): readonly CollectionField[] {
  const known = fieldsOf(description)
  const names = description.params.display_names?.fields ?? {}
  const allowed = (description.params.taggable_fields ?? '').split(',').map((path) => path.trim())
  const absent = allowed.filter((path) => path !== '' && !known.some((field) => field.path === path))
  const made = absent.map((path) => ({ path, name: names[path] ?? plainName(path), type: 'KEYWORD', isLabel: false }))
  return [
    ...known.filter(({ taggable }) => taggable),
    ...made.map((field) => ({ ...field, indexed: false, taggable: true })),
  ]
}

const LABELS = new Set(
  'id ids uid gid fid oid uuid guid objectid osmid code codes key zip zipcode postcode year years'.split(' '),
)

/** True for the identifier of documents, and for names that end like `station_id` or begin like `id_station`. */
export function isLabel(path: string, idPath: string): boolean {
  const words = wordsOf(path).toLowerCase().split(' ')
  return path === idPath || words[0] === 'id' || LABELS.has(words.at(-1) ?? '')
}

/** Derives a display name: `params.start_date` becomes Start date. */
function plainName(path: string): string {
  const words = wordsOf(path)
  return words === '' ? path : `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const wordsOf = (path: string): string =>
  (path.split('.').at(-1) ?? path)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()

export const collectionName = ({ collection_name, params }: CollectionDescription): string =>
  params.display_names?.collection ?? collection_name

/** Returns the value at a path of a document, also through arrays. */
export function valueAt(document: unknown, path: string): unknown {
  if (typeof document !== 'object' || document === null) return undefined
  if (Array.isArray(document)) {
    const values = document.map((item) => valueAt(item, path)).filter((value) => value !== undefined)
    return values.length === 0 ? undefined : values
  }
  const record = document as Readonly<Record<string, unknown>>
  if (path in record) return record[path]
  const dot = path.indexOf('.')
  return dot < 0 ? undefined : valueAt(record[path.slice(0, dot)], path.slice(dot + 1))
}
