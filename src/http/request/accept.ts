interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/**
 * Returns the offered type that an Accept header prefers; undefined if it excludes all of them. `offered` is in the
 * server's order of preference. A missing header accepts everything (RFC 9110 12.5.1).
 */
export function preferredType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0]
  const ranges = accept.split(',').flatMap(parseRange)
  let best: string | undefined
  let bestQuality = 0
  for (const type of offered) {
    const quality = qualityOf(type, ranges)
    if (quality > bestQuality) {
      best = type
      bestQuality = quality
    }
  }
  return best
}

/** Returns the media type of a Content-Type or Accept item, without parameters, in lower case. */
export function mediaType(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim().toLowerCase()
}

function parseRange(item: string): readonly MediaRange[] {
  const [type, subtype, ...rest] = mediaType(item).split('/')
  if (type === undefined || subtype === undefined || type === '' || subtype === '' || rest.length > 0) return []
  const weight = /;\s*q\s*=\s*([0-9.]+)\s*(?:;|$)/i.exec(item)?.[1]
  const quality = weight === undefined ? 1 : Number(weight)
  return [{ type, subtype, quality: Number.isNaN(quality) ? 1 : Math.min(quality, 1) }]
}

/** The most specific range decides, so `application/json;q=0, *\/*` does not accept JSON. */
function qualityOf(offered: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = offered.split('/')
  const exact = ranges.filter((range) => range.type === type && range.subtype === subtype)
  const family = ranges.filter((range) => range.type === type && range.subtype === '*')
  const any = ranges.filter((range) => range.type === '*' && range.subtype === '*')
  const deciding = [exact, family, any].find((matching) => matching.length > 0) ?? []
  return Math.max(0, ...deciding.map((range) => range.quality))
}
