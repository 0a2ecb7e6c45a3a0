import { and, everything, nothing, or, type Predicate } from '../../query/plan/predicate.ts'
import { fault } from './members.ts'

/** Reads `minimum_should_match` of so many clauses: a number or a percentage, negative ones from the end. */
export function countOf(value: unknown, clauses: number, place: string): number | undefined {
  if (value === undefined) return undefined
  const match = /^(-?\d{1,9})(%?)$/.exec(String(value))
  if (match === null) throw fault(place, 'must be a number or a percentage', value)
  const given = Number(match[1])
  const count = match[2] === '' ? given : Math.trunc((given * clauses) / 100)
  return Math.max(0, given < 0 ? clauses + count : count)
}

const MOST_COMBINATIONS = 200

/** True of documents that satisfy so many of the clauses. */
export function atLeast(count: number, clauses: readonly Predicate[], place: string): Predicate {
  if (count <= 0) return everything
  if (count > clauses.length) return nothing
  if (count === 1) return or(clauses)
  if (count === clauses.length) return and(clauses)
  const chosen = combinations(count, clauses, place)
  return or(chosen.map(and))
}

function combinations(count: number, clauses: readonly Predicate[], place: string): readonly (readonly Predicate[])[] {
  let chosen: readonly (readonly number[])[] = [[]]
  for (let taken = 0; taken < count; taken++) {
    chosen = chosen.flatMap((places) => {
      const next: (readonly number[])[] = []
      const last = clauses.length - count + taken
      for (let at = (places.at(-1) ?? -1) + 1; at <= last; at++) next.push([...places, at])
      return next
    })
    if (chosen.length > MOST_COMBINATIONS) throw fault(place, 'must leave fewer combinations of clauses', count)
  }
  return chosen.map((places) => places.flatMap((at) => clauses[at] ?? []))
}
