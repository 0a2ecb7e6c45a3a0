/** An answer that is printed already: the members of a JSON object in compact form, without the braces. */
export class PrintedJson {
  readonly members: string
  /** Members that differ each time, printed before the others. */
  readonly times: { readonly query_time: number; readonly total_time: number } | undefined

  constructor(members: string, times?: PrintedJson['times']) {
    this.members = members
    this.times = times
  }
}
