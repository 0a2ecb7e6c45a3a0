/**
 * A TEXT column holds the tokens of the field, each between blanks (` the quick fox `); several values of one document
 * are separated by a line feed, so that no phrase reaches from one into the next. A token never contains either.
 */
export function tokenText(values: readonly (readonly string[])[]): string {
  return values.map((tokens) => ` ${tokens.join(' ')}${tokens.length > 0 ? ' ' : ''}`).join('\n')
}
