/**
 * True for an absolute http or https URL without credentials whose host is listed, as `host` (any port) or `host:port`.
 */
export function isAllowedUrl(url: URL, allowed: readonly string[]): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  if (url.username !== '' || url.password !== '') return false
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  const host = url.hostname.toLowerCase()
  return allowed.some((entry) => {
    const wanted = entry.trim().toLowerCase()
    return wanted === host || wanted === `${host}:${port}`
  })
}
