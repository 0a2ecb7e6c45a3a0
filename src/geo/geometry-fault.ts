/** An invalid bbox or WKT value; `reason` is a clause that follows the name of the parameter in a message. */
export class GeometryFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'GeometryFault'
    this.reason = reason
  }
}
