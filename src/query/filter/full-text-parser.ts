import { and, not, nothing, or, type Predicate } from '../plan/predicate.ts'
import { type FullTextToken, tokenizeFullText } from './full-text-tokens.ts'

/** A word or phrase of q, to be matched in each searched field. */
export type FullTextTerm = Extract<FullTextToken, { readonly kind: 'word' | 'phrase' }>

interface FullTextTree {
  readonly predicate: Predicate
  /** Nesting depth of AND and OR. */
  readonly depth: number
}

interface Group {
  readonly negated: boolean
  members: FullTextTree[]
  /** How the members are joined; unset while there is only one. */
  joint?: 'and' | 'or'
  /** Operator read since the last member. */
  pending?: 'and' | 'or'
}

/**
 * Parses a q text (spec 3.11.4, 3.11.5) into a predicate; `match` returns the predicate of one word or phrase. AND and
 * OR have the same precedence, left to right. Uses an explicit stack instead of recursion, because a text may have
 * thousands of brackets. `joint`: how words next to each other are joined.
 */
export function parseFullText(
  text: string,
  match: (term: FullTextTerm) => Predicate,
  joint: 'and' | 'or' = 'and',
): FullTextTree {
  const tokens = tokenizeFullText(text)
  const paired = pairBrackets(tokens)
  const stack: Group[] = []
  let group: Group = { negated: false, members: [] }
  let negated = false
  tokens.forEach((token, index) => {
    switch (token.kind) {
      case 'not':
        negated = !negated
        return
      case 'and':
      case 'or':
        if (group.members.length > 0) group.pending ??= token.kind
        break
      case 'open':
        // An unpaired bracket is ignored; a negation before it applies to the next token.
        if (!paired.has(index)) return
        stack.push(group)
        group = { negated, members: [] }
        break
      case 'close': {
        const outer = paired.has(index) ? stack.pop() : undefined
        if (outer === undefined) break
        const inner = group
        group = outer
        if (inner.members.length > 0) join(group, negateIf(inner.negated, combine(inner)), joint)
        break
      }
      default:
        join(group, negateIf(negated, { predicate: match(token), depth: 0 }), joint)
    }
    negated = false
  })
  return group.members.length === 0 ? { predicate: nothing, depth: 0 } : combine(group)
}

function pairBrackets(tokens: readonly FullTextToken[]): ReadonlySet<number> {
  const paired = new Set<number>()
  const open: number[] = []
  tokens.forEach((token, index) => {
    if (token.kind === 'open') open.push(index)
    if (token.kind !== 'close') return
    const start = open.pop()
    if (start !== undefined) paired.add(start).add(index)
  })
  return paired
}

function join(group: Group, member: FullTextTree, otherwise: 'and' | 'or'): void {
  if (group.members.length > 0) {
    const joint = group.pending ?? otherwise
    if (group.joint !== undefined && group.joint !== joint) group.members = [combine(group)]
    group.joint = joint
  }
  delete group.pending
  group.members.push(member)
}

function combine({ members, joint }: Group): FullTextTree {
  const [only] = members
  if (members.length === 1 && only !== undefined) return only
  const predicates = members.map((m) => m.predicate)
  return {
    predicate: joint === 'or' ? or(predicates) : and(predicates),
    depth: 1 + members.reduce((deepest, m) => Math.max(deepest, m.depth), 0),
  }
}

const negateIf = (negated: boolean, tree: FullTextTree): FullTextTree =>
  negated ? { predicate: not(tree.predicate), depth: tree.depth } : tree
