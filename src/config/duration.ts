import { Type } from 'typebox'

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Schema of a duration such as `250ms`, `15s`, `24h` or `30d`. */
export const duration = (value: string, description: string) =>
  Type.String({ pattern: '^[1-9][0-9]{0,8}(ms|s|m|h|d)$', default: value, description })

/** Converts a validated duration to milliseconds. */
export function milliseconds(text: string): number {
  const [, digits = '0', unit = 'ms'] = /^([0-9]+)(ms|s|m|h|d)$/.exec(text) ?? []
  return Number(digits) * UNITS[unit as keyof typeof UNITS]
}
