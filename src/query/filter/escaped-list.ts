/**
 * Splits at every `separator` that no backslash precedes, then turns the escaped separator into itself (spec 3.3.1,
 * 3.3.4). No other backslash is touched, so patterns pass unchanged.
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
