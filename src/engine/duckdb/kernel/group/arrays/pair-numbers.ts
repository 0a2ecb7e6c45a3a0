import { PairTable } from './pair-table.ts'

/** Maximum number of entries of a matrix. */
const MOST_CELLS = 2 ** 22

/** Numbers the pairs of a bucket and a key in it. Both are numbered from 0, so a matrix does while it is small. */
export class PairNumbers {
  readonly #firsts: Uint32List = new Uint32List()
  readonly #seconds: Uint32List = new Uint32List()
  /** Number of the pair plus 1, by first * stride + second. */
  #matrix: Uint32Array | undefined = new Uint32Array(1)
  #stride = 1
  #table = new PairTable()

  get count(): number {
    return this.#firsts.count
  }

  first(number: number): number {
    return this.#firsts.values[number] ?? 0
  }

  second(number: number): number {
    return this.#seconds.values[number] ?? 0
  }

  /** Sets `out[i]` to the number of the pair firsts[i], seconds[i]. `out` may be one of the inputs. */
  numberAll(firsts: Uint32Array, seconds: Uint32Array, count: number, out: Uint32Array): void {
    let most = 0
    let mostSecond = 0
    for (let i = 0; i < count; i++) {
      const first = firsts[i] ?? 0
      const second = seconds[i] ?? 0
      if (first > most) most = first
      if (second > mostSecond) mostSecond = second
    }
    const matrix = this.#matrixFor(most + 1, mostSecond + 1)
    if (matrix === undefined) {
      this.#hashAll(firsts, seconds, count, out)
      return
    }
    const stride = this.#stride
    for (let i = 0; i < count; i++) {
      const first = firsts[i] ?? 0
      const second = seconds[i] ?? 0
      const at = first * stride + second
      let number = matrix[at] ?? 0
      if (number === 0) {
        number = this.#add(first, second) + 1
        matrix[at] = number
      }
      out[i] = number - 1
    }
  }

  #hashAll(firsts: Uint32Array, seconds: Uint32Array, count: number, out: Uint32Array): void {
    const table = this.#table
    for (let i = 0; i < count; i++) {
      const first = firsts[i] ?? 0
      const second = seconds[i] ?? 0
      const number = table.numberOf(first, second)
      if (number === this.#firsts.count) this.#add(first, second)
      out[i] = number
    }
  }

  #add(first: number, second: number): number {
    this.#firsts.push(first)
    return this.#seconds.push(second)
  }

  /** Returns a matrix with at least this many rows and columns; undefined if it would be too large. */
  #matrixFor(rows: number, columns: number): Uint32Array | undefined {
    const matrix = this.#matrix
    if (matrix === undefined) return undefined
    if (columns <= this.#stride && rows * this.#stride <= matrix.length) return matrix
    const stride = columns <= this.#stride ? this.#stride : 2 ** Math.ceil(Math.log2(columns))
    const height = Math.max(rows, Math.min(2 * rows, Math.floor(MOST_CELLS / stride)), matrix.length / this.#stride)
    if (height * stride > MOST_CELLS) {
      this.#matrix = undefined
      for (let number = 0; number < this.count; number++) this.#table.numberOf(this.first(number), this.second(number))
      return undefined
    }
    const larger = new Uint32Array(Math.ceil(height) * stride)
    for (let number = 0; number < this.count; number++) {
      larger[this.first(number) * stride + this.second(number)] = number + 1
    }
    this.#matrix = larger
    this.#stride = stride
    return larger
  }
}

/** A list of unsigned integers that grows. */
class Uint32List {
  values = new Uint32Array(256)
  count = 0

  push(value: number): number {
    if (this.count === this.values.length) {
      const longer = new Uint32Array(2 * this.count)
      longer.set(this.values)
      this.values = longer
    }
    this.values[this.count] = value
    return this.count++
  }
}
