/** A small tree that prints as XML 1.0: everything a caller or a document wrote is escaped here and nowhere else. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
}

export type XmlNode = XmlElement | string

/** Attributes without a value are left out. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  children: readonly XmlNode[] = [],
): XmlElement {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { name, attributes: Object.fromEntries(given), children }
}

/** An element around a text; none when there is no text. */
export const textElement = (name: string, text: string | undefined): readonly XmlElement[] =>
  text === undefined || text === '' ? [] : [element(name, {}, [text])]

export function printXml(root: XmlElement, pretty: boolean): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${print(root, pretty ? '' : undefined)}\n`
}

/** Elements with text keep it on their line: white space would become part of it. */
function print({ name, attributes, children }: XmlElement, indent: string | undefined): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
  const start = `<${name}${written.join('')}`
  if (children.length === 0) return `${start}/>`
  const isMixed = indent === undefined || children.some((child) => typeof child === 'string')
  const inner = isMixed ? undefined : `${indent}  `
  const content = children.map((child) => (typeof child === 'string' ? escapeXml(child) : print(child, inner)))
  if (isMixed) return `${start}>${content.join('')}</${name}>`
  return `${start}>\n${content.map((line) => `${inner}${line}\n`).join('')}${indent}</${name}>`
}

// Everything that is not a Char of XML 1.0, half a surrogate pair among it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character)
}

/** Readers turn white space of attributes into blanks unless it is written as references. */
const escapeAttribute = (text: string): string => escapeXml(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')

const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}' +
  '\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const NOT_IN_NAME = new RegExp(`[^${NAME_START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]`, 'gu')
const STARTS_NAME = new RegExp(`^[${NAME_START}]`, 'u')

/** A key of a document as the name of an element: what a name cannot have becomes `_`. */
export function xmlName(key: string): string {
  const name = key.replace(NOT_IN_NAME, '_')
  return STARTS_NAME.test(name) ? name : `_${name}`
}
