import { type Problem, problem } from '../../errors.ts'

/** How messages name a part: with the place of its aggregation in the request, 1 being the main one. */
export const partOf = (part: string, position: number): string => `${part} of aggregation ${position}`

/** A broken rule of one part of an aggregation; `reason` is a clause that follows the part's name. */
export function aggregationFault(position: number, part: string, reason: string, value?: unknown): Problem {
  return problem('INVALID_AGGREGATION', { parameter: partOf(part, position), reason, value })
}
