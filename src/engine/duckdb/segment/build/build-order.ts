/** Bits per pass of the radix sort. */
const DIGIT = 11
const DIGITS = 2 ** DIGIT

/**
 * Returns the positions of keys in ascending order of the keys; equal keys keep their order. `words`: the 32-bit words
 * of the keys, most significant first. Takes linear time, unlike sorting with a comparison.
 */
export function sortedPositions(words: readonly Uint32Array[]): Uint32Array {
  const length = words[0]?.length ?? 0
  let order: Uint32Array = new Uint32Array(length)
  for (let i = 0; i < length; i++) order[i] = i
  if (length < 2) return order
  let keys: Uint32Array = new Uint32Array(length)
  let otherOrder: Uint32Array = new Uint32Array(length)
  let otherKeys: Uint32Array = new Uint32Array(length)
  for (const word of words.toReversed()) {
    let isLoaded = false
    for (let shift = 0; shift < 32; shift += DIGIT) {
      const ends = digitEnds(word, shift)
      if (ends === undefined) continue
      if (!isLoaded) for (let i = 0; i < length; i++) keys[i] = word[order[i] ?? 0] ?? 0
      isLoaded = true
      scatter(keys, order, ends, shift, otherKeys, otherOrder)
      ;[keys, otherKeys] = [otherKeys, keys]
      ;[order, otherOrder] = [otherOrder, order]
    }
  }
  return order
}

/** Returns where the keys of each digit begin; undefined if all have the same digit. */
function digitEnds(word: Uint32Array, shift: number): Uint32Array | undefined {
  const ends = new Uint32Array(DIGITS)
  for (let i = 0; i < word.length; i++) {
    const digit = ((word[i] ?? 0) >>> shift) & (DIGITS - 1)
    ends[digit] = (ends[digit] ?? 0) + 1
  }
  if (ends.includes(word.length)) return undefined
  let sum = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = ends[digit] ?? 0
    ends[digit] = sum
    sum += count
  }
  return ends
}

function scatter(
  keys: Uint32Array,
  order: Uint32Array,
  ends: Uint32Array,
  shift: number,
  toKeys: Uint32Array,
  toOrder: Uint32Array,
): void {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? 0
    const digit = (key >>> shift) & (DIGITS - 1)
    const at = ends[digit] ?? 0
    ends[digit] = at + 1
    toKeys[at] = key
    toOrder[at] = order[i] ?? 0
  }
}
