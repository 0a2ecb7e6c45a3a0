/** A bbox or WKT value that breaks a rule; `reason` is a clause that follows the parameter's name in a message. */
export class GeometryFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'GeometryFault'
    this.reason = reason
  }
}
