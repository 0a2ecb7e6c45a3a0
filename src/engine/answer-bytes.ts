/** What V8 spends on an object, an array or a string beside its contents, and on a place in one; on 64 bits. */
const HEADER = 24
const PLACE = 8
const NUMBER = 16

/**
 * About how much memory a value of plain data takes, rather too much than too little: parts that are shared count each
 * time, and characters as two bytes. Beyond `most` the rest is not looked at.
 */
export function answerBytes(value: unknown, most: number): number {
  switch (typeof value) {
    case 'string':
      return HEADER + 2 * value.length
    case 'number':
      return Number.isInteger(value) ? 0 : NUMBER
    case 'bigint':
      return HEADER + value.toString(16).length / 2
    case 'object': {
      if (value === null) return 0
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
      let bytes = HEADER + PLACE * members.length
      for (const member of members) {
        if (bytes > most) break
        bytes += answerBytes(member, most - bytes)
      }
      return bytes
    }
    default:
      return 0
  }
}
