import type { IncomingMessage } from 'node:http'

const PARAMETER = 'access_token'

const taken = new WeakMap<IncomingMessage, string>()

/** A request target without the token of its query. */
export function withoutToken(target: string): string {
  const mark = target.indexOf('?')
  if (mark < 0 || !/access_token|%/i.test(target.slice(mark))) return target
  const parts = target.slice(mark + 1).split('&')
  const kept = parts.filter((part) => nameOf(part) !== PARAMETER)
  if (kept.length === parts.length) return target
  return kept.length === 0 ? target.slice(0, mark) : `${target.slice(0, mark)}?${kept.join('&')}`
}

/** Takes the token out of the URL, so that no log line, link or cursor made from it can show it. */
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

/** The token that was taken out. */
export const queryTokenOf = (request: IncomingMessage): string | undefined => taken.get(request)

const nameOf = (part: string): string => decode(part.split('=', 1)[0] ?? '').toLowerCase()

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Whoever reads the parameters says what is wrong with them.
    return text
  }
}
