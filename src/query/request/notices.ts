import { nearestKey } from '../../config/nearest-key.ts'
import type { CollectionView } from '../schema/collection-view.ts'

/** Notices of one answer. A request may name thousands of fields. */
const MOST_NOTICES = 5
/** Characters of a name in a notice. Longer names have no suggestion. */
const LONGEST_NAME = 100

/** What a caller may want to know about its request although it was answered: names that do not exist. */
export class Notices {
  readonly #texts = new Set<string>()
  #left = 0

  get texts(): readonly string[] {
    return this.#left === 0 ? [...this.#texts] : [...this.#texts, `${this.#left} more`]
  }

  /** Notes the paths that are no field. Suggests fields that the caller may see. */
  unknownFields(paths: readonly string[], { schema, hidden }: CollectionView): void {
    for (const path of new Set(paths)) {
      if (path === '*' || schema.lookup(path) !== undefined) continue
      this.#add('field', path, () => schema.fields.flatMap((field) => (hidden.selects(field.path) ? [] : [field.path])))
    }
  }

  unknownParameter(name: string, known: readonly string[]): void {
    this.#add('parameter', name, () => known)
  }

  #add(kind: 'field' | 'parameter', name: string, known: () => readonly string[]): void {
    const isLong = name.length > LONGEST_NAME
    const shown = isLong ? `${name.slice(0, LONGEST_NAME)}...` : name
    const start = `no ${kind} \`${shown}\``
    if ([...this.#texts].some((text) => text === start || text.startsWith(`${start};`))) return
    if (this.#texts.size >= MOST_NOTICES) {
      this.#left += 1
      return
    }
    const near = isLong ? undefined : nearestKey(name, known(), Math.ceil(name.length / 3))
    this.#texts.add(near === undefined ? start : `${start}; did you mean \`${near}\`?`)
  }
}
