/** Returns a function that tests whether an index name matches a name or a pattern with `*`. */
export function indexMatcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const [first = '', ...middle] = pattern.split('*')
  const last = middle.pop() ?? ''
  // no regular expression: many stars would take it hours
  return (name) => {
    const end = name.length - last.length
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false
    let from = first.length
    for (const part of middle) {
      const at = name.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return from <= end
  }
}

/** True if some name matches both patterns (names, or patterns with `*`). No index of that name has to exist. */
export function indexPatternsMeet(one: string, other: string): boolean {
  // reached[j]: the prefix of `one` read so far and the first j characters of `other` can match the same text.
  let reached = passStars([true, ...Array<boolean>(other.length).fill(false)], other)
  for (let i = 0; i < one.length; i++) reached = passStars(step(reached, one[i] ?? '', other), other)
  return reached.at(-1) === true
}

function step(reached: readonly boolean[], sign: string, pattern: string): boolean[] {
  let isReached = false
  return reached.map((here, j) => {
    if (sign === '*') {
      isReached ||= here
      return isReached
    }
    if (here && pattern[j] === '*') return true
    return j > 0 && reached[j - 1] === true && pattern[j - 1] === sign
  })
}

/** A star may match the empty string. */
function passStars(reached: boolean[], pattern: string): boolean[] {
  for (let j = 1; j < reached.length; j++) if (pattern[j - 1] === '*' && reached[j - 1] === true) reached[j] = true
  return reached
}
