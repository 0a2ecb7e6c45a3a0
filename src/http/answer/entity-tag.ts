import { hash } from 'node:crypto'

/**
 * Returns a strong ETag for these bytes. Uses BLAKE2b because it takes half the time of SHA-256 and some answers are
 * large.
 */
export function strongTag(bytes: string | Uint8Array): string {
  return `"${hash('blake2b512', bytes, 'base64url').slice(0, 32)}"`
}

/** Returns a weak ETag, for answers whose content is equal but whose bytes may differ. */
export function weakTag(content: string | Uint8Array): string {
  return `W/${strongTag(content)}`
}

/**
 * Returns the ETag of the same answer with a Content-Encoding. Other bytes need another strong tag (RFC 9110 8.8.3.3);
 * weak tags are valid for all encodings. The dot cannot collide: tags made here contain none.
 */
export function encodedTag(tag: string, coding: string | undefined): string {
  return coding === undefined || tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}.${coding}"`
}

/**
 * Evaluates If-None-Match: `*` or a list of tags, compared weakly (RFC 9110 13.1.2) and regardless of the encoding.
 * Returns the tag to send with the 304: the tag of the current answer if the client has it, else the tag sent by the
 * client, because caches look up their entry by it. Returns undefined if nothing matches.
 */
export function matchedTag(header: string | undefined, tag: string): string | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return tag
  const known = (header.match(/(?:W\/)?"[^"]*"/g) ?? []).map(opaque)
  if (known.includes(opaque(tag))) return tag
  return known.find((candidate) => plain(candidate) === plain(opaque(tag)))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '')

const plain = (tag: string): string => tag.replace(/\.[a-z]+"$/, '"')
