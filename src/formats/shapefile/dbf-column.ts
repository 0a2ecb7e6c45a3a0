import type { Json } from '../../model/json/document.ts'

/** Representation of one property in a .dbf. */
export interface DbfColumn {
  readonly property: string
  /** N integers, F other numbers (written as N too), L booleans, C texts. */
  readonly form: 'integer' | 'number' | 'boolean' | 'text'
  readonly width: number
}

const LONGEST_INTEGER = 18
const NUMBER_WIDTH = 24
const NUMBER_DECIMALS = 15
const LONGEST_TEXT = 254

/** Statistics of the values of a property so far. */
export class ColumnValues {
  readonly property: string
  #integers = true
  #numbers = true
  #booleans = true
  /** Length of the longest text. UTF-8 bytes. */
  #width = 1

  constructor(property: string) {
    this.property = property
  }

  add(value: Json): void {
    const text = String(value)
    this.#width = Math.max(this.#width, Buffer.byteLength(text))
    if (typeof value !== 'boolean') this.#booleans = false
    if (typeof value !== 'number') this.#numbers = false
    if (!isShortInteger(value)) this.#integers = false
  }

  toColumn(): DbfColumn {
    const { property } = this
    if (this.#integers) return { property, form: 'integer', width: this.#width }
    if (this.#numbers) return { property, form: 'number', width: NUMBER_WIDTH }
    if (this.#booleans) return { property, form: 'boolean', width: 1 }
    return { property, form: 'text', width: Math.min(this.#width, LONGEST_TEXT) }
  }
}

function isShortInteger(value: Json): boolean {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    /^-?\d{1,18}$/.test(String(value)) &&
    String(value).length <= LONGEST_INTEGER
  )
}

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

/** Returns the type letter of the column in the file and in `column_mapping.txt`. */
export function letterOf({ form }: DbfColumn): 'C' | 'N' | 'L' {
  return form === 'text' ? 'C' : form === 'boolean' ? 'L' : 'N'
}

export const decimalsOf = ({ form }: DbfColumn): number => (form === 'number' ? NUMBER_DECIMALS : 0)

/** Prints a value for the column, without padding. */
export function printCell(column: DbfColumn, value: Json | undefined): string {
  if (value === undefined || value === null) return column.form === 'boolean' ? '?' : ''
  switch (column.form) {
    case 'boolean':
      return value === true ? 'T' : 'F'
    case 'number':
      return printNumber(Number(value))
    default:
      return String(value)
  }
}

/** Prints the shortest decimal text that parses to the same number, in exponent form if that is too long. */
function printNumber(value: number): string {
  const text = decimalText(value)
  return text.length <= NUMBER_WIDTH ? text : value.toExponential()
}

/** Prints very large and very small numbers without exponent. */
function decimalText(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? []
  if (exponent === '') return String(value)
  const power = Number(exponent)
  return power < 0
    ? `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction.padEnd(power, '0')}`
}
