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
