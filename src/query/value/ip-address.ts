/** Parses four decimal numbers as Elasticsearch does: no leading zeros. */
function readIpv4(text: string): string | undefined {
  const bytes = text.split('.')
  if (bytes.length !== 4) return undefined
  let hex = ''
  for (const byte of bytes) {
    if (!/^(0|[1-9]\d{0,2})$/.test(byte) || Number(byte) > 255) return undefined
    hex += Number(byte).toString(16).padStart(2, '0')
  }
  return hex
}

/** Parses the groups of a part of an IPv6 address without `::` to hexadecimal digits; undefined if one is invalid. */
function readGroups(text: string, mayEndWithIpv4: boolean): string | undefined {
  if (text === '') return ''
  const groups = text.split(':')
  let hex = ''
  for (const [index, group] of groups.entries()) {
    if (mayEndWithIpv4 && index === groups.length - 1 && group.includes('.')) {
      const last = readIpv4(group)
      if (last === undefined) return undefined
      hex += last
    } else {
      if (!/^[0-9A-Fa-f]{1,4}$/.test(group)) return undefined
      hex += group.padStart(4, '0').toLowerCase()
    }
  }
  return hex
}

function readIpv6(text: string): string | undefined {
  const gap = text.indexOf('::')
  if (gap < 0) {
    const hex = readGroups(text, true)
    return hex?.length === 32 ? hex : undefined
  }
  const head = readGroups(text.slice(0, gap), false)
  const tail = readGroups(text.slice(gap + 2), true)
  if (head === undefined || tail === undefined) return undefined
  const missing = 32 - head.length - tail.length
  return missing >= 4 ? head + '0'.repeat(missing) + tail : undefined
}

/** Parses an IPv4 or IPv6 address to the 32 hexadecimal digits of its 128 bits; IPv4 as ::ffff:a.b.c.d. */
export function parseIp(text: string): string | undefined {
  if (text.includes(':')) return readIpv6(text)
  const ipv4 = readIpv4(text)
  return ipv4 === undefined ? undefined : `00000000000000000000ffff${ipv4}`
}
