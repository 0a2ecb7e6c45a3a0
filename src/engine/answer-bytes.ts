/** Bytes. V8 overhead on 64-bit machines: header of an object or string, header of an array, one slot, one double. */
const HEADER = 24
const ARRAY_HEADER = 48
const PLACE = 8
const NUMBER = 16

/**
 * Estimates the memory of a plain data value in bytes. Errs on the high side: shared parts count each time, and every
 * character counts as two bytes. Stops early once the estimate exceeds `most`.
 */
export function answerBytes(value: unknown, most: number): number {
  switch (typeof value) {
    case 'string':
      return HEADER + 2 * value.length
    case 'number':
      return Number.isInteger(value) ? 0 : NUMBER
    case 'bigint':
      return HEADER + value.toString(16).length / 2
    case 'object':
      if (value === null) return 0
      return Array.isArray(value)
        ? ARRAY_HEADER + sumOf(value, most - ARRAY_HEADER)
        : HEADER + sumOf(Object.values(value), most - HEADER)
    default:
      return 0
  }
}

function sumOf(members: readonly unknown[], most: number): number {
  let bytes = PLACE * members.length
  for (const member of members) {
    if (bytes > most) break
    bytes += answerBytes(member, most - bytes)
  }
  return bytes
}
