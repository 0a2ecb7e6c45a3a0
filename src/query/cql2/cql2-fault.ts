import type { Place } from './expression.ts'

/** An invalid expression. `reason` is a clause that follows the name of the parameter in a message. */
export class Cql2Fault extends Error {
  readonly reason: string
  readonly at: Place

  constructor(reason: string, at: Place) {
    super(reason)
    this.name = 'Cql2Fault'
    this.reason = reason
    this.at = at
  }
}

/** An expression that is nested deeper than allowed. */
export class Cql2TooDeep extends Error {}

export const unsupported = (name: string, at: Place): Cql2Fault =>
  new Cql2Fault(`uses ${name}, which is not supported`, at)
