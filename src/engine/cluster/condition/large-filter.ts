import { and, or, type Predicate } from '../../../query/plan/predicate.ts'
import { countClauses, MOST_CLAUSES } from './clause-count.ts'

/** A condition with more clauses than one query may have. It is the disjunction of its parts. */
interface LargeCondition {
  readonly predicate: Predicate
  readonly parts: readonly Predicate[]
}

/** Parts are combined with the other conditions of the selection, which get the other half. */
const MOST_IN_PART = MOST_CLAUSES / 2

/**
 * Returns the conditions to evaluate in advance so that the rest of a predicate fits into one query, largest
 * disjunctions first. Empty if it already fits. Conjunctions that are too large are left for the cluster to reject.
 */
export function largeConditions(predicate: Predicate): readonly LargeCondition[] {
  const found: LargeCondition[] = []
  let left = countClauses(predicate)
  const candidates = disjunctionsOf(predicate).sort((a, b) => countClauses(b) - countClauses(a))
  for (const candidate of candidates) {
    if (left <= MOST_CLAUSES) break
    left -= countClauses(candidate)
    found.push({ predicate: candidate, parts: partsOf(candidate) })
  }
  return found
}

/** Returns the outermost disjunctions; inner ones are evaluated with them. */
function disjunctionsOf(p: Predicate): Predicate[] {
  switch (p.kind) {
    case 'or':
      return [p]
    case 'equals':
      return p.field.type === 'DATE' && p.values.length > 1 ? [p] : []
    case 'and':
      return p.members.flatMap(disjunctionsOf)
    case 'not':
      return disjunctionsOf(p.member)
    default:
      return []
  }
}

function partsOf(p: Predicate): readonly Predicate[] {
  const parts: Predicate[][] = []
  let room = 0
  for (const member of alternativesOf(p)) {
    const clauses = countClauses(member)
    if (parts.length === 0 || clauses > room) {
      parts.push([])
      room = MOST_IN_PART
    }
    parts.at(-1)?.push(member)
    room -= clauses
  }
  return parts.map(or)
}

function alternativesOf(p: Predicate): readonly Predicate[] {
  if (p.kind === 'or') return p.members.flatMap(alternativesOf)
  if (p.kind !== 'equals' || p.field.type !== 'DATE') return [p]
  return p.values.map((value) => ({ ...p, values: [value] }))
}

/**
 * Returns the members of the top-level conjunction that contain none of the given conditions, as far as they fit into a
 * query together with a part.
 */
export function narrowing(predicate: Predicate, answered: ReadonlySet<Predicate>): Predicate {
  const members = predicate.kind === 'and' ? predicate.members : [predicate]
  let room = MOST_IN_PART
  const kept = members.filter((member) => {
    const clauses = countClauses(member)
    if (clauses > room || holdsAny(member, answered)) return false
    room -= clauses
    return true
  })
  return and(kept)
}

function holdsAny(p: Predicate, answered: ReadonlySet<Predicate>): boolean {
  if (answered.has(p)) return true
  if (p.kind === 'and' || p.kind === 'or') return p.members.some((m) => holdsAny(m, answered))
  return p.kind === 'not' && holdsAny(p.member, answered)
}
