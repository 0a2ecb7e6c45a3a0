import type { CodePointRange } from './keyword-pattern.ts'

const LAST_CODE_POINT = 0x10ffff

/** The code points of `\d`, `\w` and `\s` (ASCII, spec 3.6), sorted. */
const SHORTHANDS: Readonly<Record<string, readonly CodePointRange[]>> = {
  d: [{ from: 0x30, to: 0x39 }],
  w: [
    { from: 0x30, to: 0x39 },
    { from: 0x41, to: 0x5a },
    { from: 0x5f, to: 0x5f },
    { from: 0x61, to: 0x7a },
  ],
  s: [
    { from: 0x09, to: 0x0d },
    { from: 0x20, to: 0x20 },
  ],
}

/** Returns the class for the letter after a backslash; an upper-case letter is the complement. */
export function shorthand(letter: string): { negated: boolean; ranges: readonly CodePointRange[] } | undefined {
  const ranges = /^[dwsDWS]$/.test(letter) ? SHORTHANDS[letter.toLowerCase()] : undefined
  return ranges && { negated: letter !== letter.toLowerCase(), ranges }
}

/** Sorts ranges and merges overlapping and adjacent ones. */
export function mergeRanges(ranges: readonly CodePointRange[]): readonly CodePointRange[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Returns every code point outside the ranges. */
export function complement(ranges: readonly CodePointRange[]): readonly CodePointRange[] {
  const result: CodePointRange[] = []
  let next = 0
  for (const { from, to } of mergeRanges(ranges)) {
    if (from > next) result.push({ from: next, to: from - 1 })
    next = to + 1
  }
  if (next <= LAST_CODE_POINT) result.push({ from: next, to: LAST_CODE_POINT })
  return result
}
