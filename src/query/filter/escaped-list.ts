/**
 * Splits at every unescaped `separator`, then unescapes the escaped ones (spec 3.3.1, 3.3.4). Other backslashes are
 * kept, so patterns are not changed.
 */
export function splitEscaped(text: string, separator: ',' | ';'): readonly string[] {
  const items: string[] = []
  let start = 0
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (at > 0 && text[at - 1] === '\\') continue
    items.push(text.slice(start, at))
    start = at + 1
  }
  items.push(text.slice(start))
  const escaped = `\\${separator}`
  return items.map((item) => (item.includes(escaped) ? item.replaceAll(escaped, separator) : item))
}
