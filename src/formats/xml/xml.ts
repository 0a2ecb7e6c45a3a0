/** A small tree that prints as XML 1.0. All escaping happens here. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
}

type XmlNode = XmlElement | string

/** Omits attributes without a value. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  children: readonly XmlNode[] = [],
): XmlElement {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { name, attributes: Object.fromEntries(given), children }
}

/** Returns an element around a text; none if the text is empty. */
export const textElement = (name: string, text: string | undefined): readonly XmlElement[] =>
  text === undefined || text === '' ? [] : [element(name, {}, [text])]

export function printXml(root: XmlElement, pretty: boolean): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${print(root, pretty ? '' : undefined)}\n`
}

/** Does not indent text content, because the white space would become part of it. */
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

// Everything that is not a Char of XML 1.0, including unpaired surrogates.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
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

/** Parsers normalise white space in attributes to blanks unless it is escaped. */
const escapeAttribute = (text: string): string => escapeXml(text).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
