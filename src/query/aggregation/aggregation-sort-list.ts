/** An item of a sort list: a name and a direction sign. */
export interface SignedName {
  readonly name: string
  readonly sign: '+' | '-' | undefined
}

/** Parses names with an optional sign and surrounding blanks; undefined if a name is empty. */
export function parseSignedNames(items: readonly string[]): readonly SignedName[] | undefined {
  const names = items.map(parseSignedName)
  return names.some(({ name }) => name === '') ? undefined : names
}

function parseSignedName(item: string): SignedName {
  const text = item.trim()
  const first = text.charAt(0)
  if (first !== '+' && first !== '-') return { name: text, sign: undefined }
  return { name: text.slice(1).trim(), sign: first }
}

/** Splits the list between parentheses of `raw_geometries` and `fetch_hits`; empty if blank. */
export const splitSortList = (text: string): readonly string[] => (text.trim() === '' ? [] : text.split(','))
