import type { IncomingMessage } from 'node:http'

const PARAMETER = 'access_token'

const taken = new WeakMap<IncomingMessage, string>()

/** Returns a request target without the token in its query. */
export function withoutToken(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0 || !/access_token|%/i.test(target.slice(mark))) return target
  const parts = target.slice(mark + 1).split('&')
  const kept = parts.filter((part) => nameOf(part) !== PARAMETER)
  if (kept.length === parts.length) return target
  return kept.length === 0 ? target.slice(0, mark) : `${target.slice(0, mark)}?${kept.join('&')}`
}

/** Removes the token from the URL, so that no log line, link or cursor built from it contains it. */
export function takeQueryToken(request: IncomingMessage): void {
  const target = request.url ?? ''
  const rest = withoutToken(target)
  if (rest === target) return
  const part = target
    .slice(target.indexOf('?') + 1)
    .split('&')
    .find((one) => nameOf(one) === PARAMETER)
  taken.set(request, decode(/=(.*)$/s.exec(part ?? '')?.[1] ?? ''))
  request.url = rest
}

/** Returns the token removed from the URL. */
export const queryTokenOf = (request: IncomingMessage): string | undefined => taken.get(request)

const nameOf = (part: string): string => decode(part.split('=', 1)[0] ?? '').toLowerCase()

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Invalid encoding is reported by the code that reads the parameters.
    return text
  }
}
