import type { Setting } from './setting.ts'

const HIDDEN = '***'

/** Returns a setting value that is safe to print: hides passwords, keys, tokens and credentials in URLs. */
export function hideSecret({ schema }: Setting, value: unknown): unknown {
  if (schema.secret === true) return HIDDEN
  return mapTexts(value, schema.address === true ? hideUserOfAddress : hideCredentials)
}

/** Hides user and password in all URLs of a text. Runs in linear time, because log lines contain client input. */
export function hideCredentials(text: string): string {
  return text.includes('://') ? text.replaceAll(/(?<=:\/\/)[^\s/?#"'<>\\]*@/g, `${HIDDEN}@`) : text
}

/** Also covers invalid URLs: without scheme, or with a slash in the password. */
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
