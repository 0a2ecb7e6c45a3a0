import { hash } from 'node:crypto'

/** A tag that stands for exactly these bytes. BLAKE2b takes half the time of SHA-256, and some answers are large. */
export function strongTag(bytes: string | Uint8Array): string {
  return `"${hash('blake2b512', bytes, 'base64url').slice(0, 32)}"`
}

/** A tag for answers that hold the same content but not the same bytes. */
export function weakTag(content: string): string {
  return `W/${strongTag(content)}`
}

/**
 * The tag of the same answer with a Content-Encoding: other bytes, so another strong tag (RFC 9110 8.8.3.3). Weak tags
 * stand for all encodings. The dot is in no tag made here.
 */
export function encodedTag(tag: string, coding: string | undefined): string {
  return coding === undefined || tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}.${coding}"`
}

/**
 * If-None-Match: `*` or a list of tags, compared weakly as RFC 9110 13.1.2 says; whatever its encoding, the client has
 * the answer. Answers the tag of the 304: the one of the answer it stands for if the client has it, else the one the
 * client has, since caches find their entry by it.
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
