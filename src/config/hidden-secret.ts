import type { Setting } from './setting.ts'

const HIDDEN = '***'

/** A value of a setting as it may be shown: no password, key or token, nor the credentials in a URL. */
export function hideSecret({ schema }: Setting, value: unknown): unknown {
  if (schema.secret === true) return HIDDEN
  return mapTexts(value, schema.address === true ? hideUserOfAddress : hideCredentials)
}

/**
 * A text without the user and password of any URL in it. It takes time in proportion to the text, which may be a log
 * line with what a client sent.
 */
export function hideCredentials(text: string): string {
  return text.includes('://') ? text.replaceAll(/(?<=:\/\/)[^\s/?#"'<>\\]*@/g, `${HIDDEN}@`) : text
}

/** Also in what is not a URL, since it was meant as one: without scheme, or with a slash in the password. */
function hideUserOfAddress(text: string): string {
  const at = text.lastIndexOf('@')
  if (at < 0) return text
  const scheme = /^[a-z]+:\/\//i.exec(text)?.[0] ?? ''
  return `${scheme}${HIDDEN}${text.slice(at)}`
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, map)]))
}
