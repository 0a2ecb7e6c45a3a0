import type { DateOrder } from '../../mapping/date-shapes.ts'
import { dateOrderOf } from '../../mapping/date-shapes.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { valueAt } from '../../model/json/json-object.ts'
import type { CoordinateSystem } from '../crs/coordinate-system.ts'
import { type DocumentShape, isMisplaced, shapeDocument } from './document-shape.ts'

/** Most values kept to find repeated ones. */
const MOST_VALUES = 5_000_000

/** What is counted over the documents before they are loaded. */
export class RowCheck {
  documents = 0
  /** Documents whose place is out of range, or with coordinates that are none. */
  misplaced = 0
  /** Documents with at least one geometry or coordinate. */
  located = 0
  /** Example of coordinates out of range. */
  example: string | undefined
  readonly #shape: DocumentShape
  readonly #values: Map<string, Set<string>>
  readonly #orders: Map<string, Record<DateOrder, number>>
  #kept = 0

  constructor(shape: DocumentShape, idPaths: readonly string[], dateFields: readonly string[]) {
    this.#shape = shape
    this.#values = new Map(idPaths.map((path) => [path, new Set()]))
    this.#orders = new Map(dateFields.map((field) => [field, { 'day-first': 0, 'month-first': 0 }]))
  }

  add(source: JsonObject, crs: CoordinateSystem | undefined): void {
    this.documents += 1
    this.#addPlace(source, crs)
    for (const [path, values] of this.#values) {
      const value = valueAt(source, path)
      const isValue = (typeof value === 'string' && value !== '') || typeof value === 'number'
      if (!isValue || values.has(String(value)) || this.#kept >= MOST_VALUES) {
        this.#kept -= values.size
        this.#values.delete(path)
      } else {
        values.add(String(value))
        this.#kept += 1
      }
    }
    for (const [field, orders] of this.#orders) {
      const value = source[field]
      const order = typeof value === 'string' ? dateOrderOf(value) : undefined
      if (order === 'day-first' || order === 'month-first') orders[order] += 1
    }
  }

  #addPlace(source: JsonObject, crs: CoordinateSystem | undefined): void {
    const shaped = shapeDocument(source, 0, this.#shape, crs)
    if (typeof shaped === 'string') {
      this.located += 1
      this.misplaced += 1
      this.example ??= shaped
      return
    }
    const { geometries, place } = this.#shape
    if (geometries.some((field) => (source[field] ?? null) !== null)) this.located += 1
    else if (place !== undefined && Object.hasOwn(shaped, 'centroid')) this.located += 1
    if (!isMisplaced(shaped, this.#shape)) return
    this.misplaced += 1
    const field = geometries.find((name) => (shaped[name] ?? null) !== null)
    this.example ??= field === undefined ? undefined : `has ${JSON.stringify(shaped[field]).slice(0, 100)} in ${field}`
  }

  /** Paths with a value in every document and no value twice. */
  get unique(): readonly string[] {
    return [...this.#values.keys()]
  }

  /** Order of day and month of a field by most of its values that tell it; undefined if none does. */
  orderOf(field: string): DateOrder | undefined {
    const orders = this.#orders.get(field)
    if (orders === undefined || orders['day-first'] === orders['month-first']) return undefined
    return orders['day-first'] > orders['month-first'] ? 'day-first' : 'month-first'
  }
}
