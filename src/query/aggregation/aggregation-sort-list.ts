/** An item of a sort list: a name, and the direction its sign gives it. */
export interface SignedName {
  readonly name: string
  readonly sign: '+' | '-' | undefined
}

/** Reads names with an optional sign, blanks around both dropped; undefined when a name is empty. */
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

/** The items between parentheses, as `raw_geometries` and `fetch_hits` write them; blank: none. */
export const splitSortList = (text: string): readonly string[] => (text.trim() === '' ? [] : text.split(','))
