import { signal } from '@preact/signals'

/** What the server said about names in recent requests that do not exist. */
export const noticed = signal<readonly string[]>([])

/** Adds the notices of a response to those shown. */
export function noteResponse({ headers }: Response): void {
  const fresh = parseNotices(headers.get('periplus-notice')).filter((text) => !noticed.value.includes(text))
  if (fresh.length > 0) noticed.value = [...noticed.value, ...fresh]
}

/** The header is a list of quoted strings. */
export function parseNotices(header: string | null): readonly string[] {
  if (header === null) return []
  try {
    return (JSON.parse(`[${header}]`) as readonly string[]).map(decodeURIComponent)
  } catch {
    // from a server of another version
    return []
  }
}
