import type { Json } from '../../model/document.ts'
import { ColumnValues, type DbfColumn } from './dbf-column.ts'

/** Collects all properties with values, in an order compatible with every row. */
export class ColumnList {
  readonly #values = new Map<string, ColumnValues>()
  #order: string[] = []

  get size(): number {
    return this.#values.size
  }

  add(row: Readonly<Record<string, Json>>): void {
    let before: string | undefined
    for (const [property, value] of Object.entries(row)) {
      let known = this.#values.get(property)
      if (known === undefined) {
        known = new ColumnValues(property)
        this.#values.set(property, known)
        this.#order.splice(before === undefined ? 0 : this.#order.indexOf(before) + 1, 0, property)
      }
      known.add(value)
      before = property
    }
  }

  /** Returns the columns in the order that `arrange` derives from the row order. */
  toColumns(arrange: (properties: readonly string[]) => readonly string[]): readonly DbfColumn[] {
    return arrange(this.#order).flatMap((property) => this.#values.get(property)?.toColumn() ?? [])
  }
}
