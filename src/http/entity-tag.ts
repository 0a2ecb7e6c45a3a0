import { hash } from 'node:crypto'

/** A tag that stands for exactly these bytes. BLAKE2b takes half the time of SHA-256, and some answers are large. */
export function strongTag(bytes: string | Uint8Array): string {
  return `"${hash('blake2b512', bytes, 'base64url').slice(0, 32)}"`
}

/** A tag for answers that hold the same content but not the same bytes. */
export function weakTag(content: string): string {
  return `W/${strongTag(content)}`
}

/** If-None-Match: `*` or a list of tags, compared weakly as RFC 9110 13.1.2 says. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((candidate) => candidate.replace(/^W\//, '') === opaque)
}
