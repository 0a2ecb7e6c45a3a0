import type { PatternNode } from './keyword-pattern.ts'

/**
 * Largest `patternSize` that is answered. Linear-time engines compile `{n,m}` by copying: at this size the embedded
 * engine's RE2 takes about a quarter of a second to compile, and above it soon seconds.
 */
export const LARGEST_PATTERN = 100_000

/** A character outside ASCII takes up to four byte steps, with branches for the lengths. */
const ANY_SIZE = 14
const RANGE_SIZE = 14
/** A copy that may be left out costs more than its instructions: ways around it are followed from every copy before. */
const OPTIONAL_SIZE = 10

/** Estimate, on the high side, of the instructions of an automaton over UTF-8 bytes for the node. */
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
