import type { CodePointRange, KeywordPattern, PatternNode } from './keyword-pattern.ts'

/** A state of an NFA: consumes one character, forks without consuming one, or accepts. */
type State =
  | { readonly kind: 'character'; readonly takes: (point: number) => boolean; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: readonly number[] }
  | { readonly kind: 'end' }

/**
 * Compiles a pattern to a test in time proportional to text and pattern: an NFA that follows all paths at once.
 * Patterns come from callers, and a backtracking matcher can take exponential time.
 */
export function patternMatcher(pattern: KeywordPattern): (text: string) => boolean {
  const states: State[] = [{ kind: 'end' }]
  const start = addNode(states, pattern.node, 0)
  const walk = new Walk(states)
  return (text) => walk.matches(text, start, pattern)
}

/** Adds the states of a node in front of `next`; returns the first of them. */
function addNode(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'literal':
      return Array.from(node.text, (character) => character.codePointAt(0)).reduceRight<number>(
        (following, wanted) => add(states, { kind: 'character', takes: (point) => point === wanted, next: following }),
        next,
      )
    case 'any':
      return add(states, { kind: 'character', takes: () => true, next })
    case 'class': {
      const { ranges, negated } = node
      return add(states, { kind: 'character', takes: (point) => isIn(ranges, point) !== negated, next })
    }
    case 'sequence':
      return node.members.reduceRight((following, member) => addNode(states, member, following), next)
    case 'choice':
      return add(states, { kind: 'fork', ways: node.members.map((member) => addNode(states, member, next)) })
    case 'repeat':
      return addRepeat(states, node.member, node.min, node.max, next)
  }
}

function addRepeat(states: State[], member: PatternNode, min: number, max: number | undefined, next: number): number {
  let first = next
  if (max === undefined) {
    first = add(states, { kind: 'end' })
    states[first] = { kind: 'fork', ways: [addNode(states, member, first), next] }
  } else {
    for (let left = max - min; left > 0; left--) {
      first = add(states, { kind: 'fork', ways: [addNode(states, member, first), next] })
    }
  }
  for (let left = min; left > 0; left--) first = addNode(states, member, first)
  return first
}

function add(states: State[], state: State): number {
  states.push(state)
  return states.length - 1
}

const isIn = (ranges: readonly CodePointRange[], point: number): boolean =>
  ranges.some(({ from, to }) => point >= from && point <= to)

/** Simulates the NFA of one pattern. */
class Walk {
  readonly #states: readonly State[]
  /** The last step at which each state was reached. */
  readonly #reachedAt: Float64Array
  #step = 0
  #reached: number[] = []
  #isAtEnd = false

  constructor(states: readonly State[]) {
    this.#states = states
    this.#reachedAt = new Float64Array(states.length)
  }

  matches(text: string, start: number, { anchoredStart, anchoredEnd }: KeywordPattern): boolean {
    this.#begin()
    this.#reach(start)
    for (const character of text) {
      if (this.#isAtEnd && !anchoredEnd) return true
      const before = this.#reached
      if (before.length === 0 && anchoredStart) return false
      const point = character.codePointAt(0) ?? 0
      this.#begin()
      for (const place of before) {
        const state = this.#states[place]
        if (state?.kind === 'character' && state.takes(point)) this.#reach(state.next)
      }
      if (!anchoredStart) this.#reach(start)
    }
    return this.#isAtEnd
  }

  #begin(): void {
    this.#step++
    this.#reached = []
    this.#isAtEnd = false
  }

  /** Marks a state and all states reachable from it without a character. */
  #reach(first: number): void {
    const open = [first]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#reachedAt[place] === this.#step) continue
      this.#reachedAt[place] = this.#step
      const state = this.#states[place]
      if (state?.kind === 'character') this.#reached.push(place)
      else if (state?.kind === 'fork') open.push(...state.ways)
      else this.#isAtEnd = true
    }
  }
}
