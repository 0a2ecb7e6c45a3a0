import type { PatternNode } from './keyword-pattern.ts'

/**
 * Maximum accepted `patternSize`. Linear-time engines compile `{n,m}` by copying: at this size RE2 in the embedded
 * engine takes about a quarter of a second to compile, and larger patterns soon take seconds.
 */
export const LARGEST_PATTERN = 100_000

/** A non-ASCII character takes up to four byte steps, with branches for the lengths. */
const ANY_SIZE = 14
const RANGE_SIZE = 14
/** An optional copy costs more than its instructions, because it can be skipped from every copy before it. */
const OPTIONAL_SIZE = 10

/** Upper estimate of the instructions of an automaton over UTF-8 bytes for the node. */
export function patternSize(node: PatternNode): number {
  switch (node.kind) {
    case 'literal':
      return Buffer.byteLength(node.text)
    case 'any':
      return ANY_SIZE
    case 'class': {
      const ascii = node.ranges.every((range) => range.to < 128)
      if (ascii && !node.negated) return node.ranges.length * 2
      return ANY_SIZE + node.ranges.reduce((sum, range) => sum + (range.to < 128 ? 2 : RANGE_SIZE), 0)
    }
    case 'sequence':
    case 'choice':
      return node.members.reduce((sum, member) => sum + patternSize(member) + 1, 1)
    case 'repeat':
      return repeatSize(patternSize(node.member) + 1, node.min, node.max ?? node.min + 1)
  }
}

function repeatSize(copy: number, min: number, max: number): number {
  return Math.max(1, max) * copy + (max - min) * OPTIONAL_SIZE
}
