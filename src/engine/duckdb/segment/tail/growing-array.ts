/** Returns an array of at least `length` entries that begins with those of `array`; at best `array` itself. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(
  array: T,
  length: number,
  make: (length: number) => T,
): T {
  if (length <= array.length) return array
  const larger = make(Math.max(length, 2 * array.length))
  larger.set(array)
  return larger
}

export const makeUint8s = (n: number): Uint8Array => new Uint8Array(n)
export const makeInt32s = (n: number): Int32Array => new Int32Array(n)
export const makeUint32s = (n: number): Uint32Array => new Uint32Array(n)
export const makeFloat64s = (n: number): Float64Array => new Float64Array(n)

/** Where the values of rows lie once a row has several: one each before, if they have one at all. */
export function startsOf(rows: number, hasValue: (row: number) => boolean): Uint32Array {
  const starts = new Uint32Array(rows + 1)
  for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row] ?? 0) + (hasValue(row) ? 1 : 0)
  return starts
}
