/**
 * Returns the content of a TEXT column: the tokens of the field, each between blanks (` the quick fox `). Several
 * values of one document are separated by a line feed, so that no phrase spans two of them. A token never contains
 * either.
 */
export function tokenText(values: readonly (readonly string[])[]): string {
  return values.map((tokens) => ` ${tokens.join(' ')}${tokens.length > 0 ? ' ' : ''}`).join('\n')
}
