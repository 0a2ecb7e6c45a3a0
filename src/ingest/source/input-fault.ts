/** The input cannot be read; the message is a sentence for the user. */
export class InputFault extends Error {}

/** What would be loaded into exists. */
export class ExistsFault extends InputFault {
  readonly subject: string
  readonly reason: string

  /** `Index trips`, `exists with 3 documents: ...` */
  constructor(subject: string, reason: string) {
    super(`${subject} ${reason}.`)
    this.subject = subject
    this.reason = reason
  }
}
