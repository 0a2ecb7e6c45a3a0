/** What V8 spends on a 64-bit machine: on an object, an array or a string beside its contents, and on a place in one. */
const HEADER = 24
const ARRAY_HEADER = 48
const PLACE = 8
const NUMBER = 16

/**
 * About how much memory a value of plain data takes, rather too much than too little: parts that are shared count each
 * time, and characters as two bytes. Once it is more than `most` the rest is not looked at.
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
