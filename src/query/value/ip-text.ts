/** ::ffff:0:0/96, the prefix of stored IPv4 addresses. */
const IPV4_MAPPED = '00000000000000000000ffff'

/** Prints an address of 32 hexadecimal digits: IPv4 in decimal, IPv6 as in RFC 5952. */
export function printIp(digits: string): string {
  if (digits.startsWith(IPV4_MAPPED)) {
    return [24, 26, 28, 30].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)).join('.')
  }
  const groups = Array.from({ length: 8 }, (_, i) => Number.parseInt(digits.slice(4 * i, 4 * i + 4), 16).toString(16))
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

/** Returns the first of the longest runs of zero groups, printed as `::`. */
function longestZeros(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  let start = 0
  for (const [i, group] of groups.entries()) {
    if (group !== '0') start = i + 1
    else if (i + 1 - start > best.length) best = { start, length: i + 1 - start }
  }
  return best
}
