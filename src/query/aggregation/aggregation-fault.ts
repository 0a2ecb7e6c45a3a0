import { type Problem, problem } from '../../errors.ts'

/** Name of a part in messages, with the position of its aggregation in the request; 1 is the main one. */
export const partOf = (part: string, position: number): string => `${part} of aggregation ${position}`

/** A violation of a rule by one part of an aggregation; `reason` is a clause that follows the name of the part. */
export function aggregationFault(position: number, part: string, reason: string, value?: unknown): Problem {
  return problem('INVALID_AGGREGATION', { parameter: partOf(part, position), reason, value })
}
