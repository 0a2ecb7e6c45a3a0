/** Matches a number within `within` of `value`. */
interface Near {
  readonly kind: 'near'
  readonly value: number
  readonly within: number
}

/** Matches a text of comma-separated numbers, each within `within`. */
interface Numerals {
  readonly kind: 'numerals'
  readonly values: readonly number[]
  readonly within: number
}

export const near = (value: number, within: number): Near => ({ kind: 'near', value, within })
/** Matches a longitude or latitude. */
export const degrees = (value: number): Near => near(value, 1e-6)
export const numerals = (values: readonly number[], within = 0): Numerals => ({ kind: 'numerals', values, within })

/** Matches equal JSON, with tolerance for the last digits of numbers. */
export function roughly(value: unknown): unknown {
  if (typeof value === 'number') return near(value, Math.max(1, Math.abs(value)) * 1e-12)
  if (Array.isArray(value)) return value.map(roughly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, roughly(v)]))
}

const isObject = (v: unknown): v is Readonly<Record<string, unknown>> =>
  typeof v === 'object' && v !== null && !Array.isArray(v)

export const isNear = (v: unknown): v is Near => isObject(v) && v.kind === 'near' && 'within' in v
const isNumerals = (v: unknown): v is Numerals => isObject(v) && v.kind === 'numerals' && 'within' in v

/** Returns the value of a number or a Near. */
export function numberOf(v: unknown): number {
  if (isNear(v)) return v.value
  if (typeof v === 'number') return v
  throw new Error(`${JSON.stringify(v)} is not a number`)
}

function accepts({ values, within }: Numerals, actual: unknown): boolean {
  if (typeof actual !== 'string' || actual === '') return false
  const parts = actual.split(',')
  return (
    parts.length === values.length &&
    parts.every((p, i) => /^-?\d/.test(p) && Math.abs(Number(p) - (values[i] ?? Number.NaN)) <= within)
  )
}

/**
 * Returns the differences between a response and the expected one, one per line. Members that are expected as undefined
 * must be absent.
 */
export function differences(expected: unknown, actual: unknown, at = ''): string[] {
  const wrong = [`${at || '/'}: expected ${shown(expected)}, got ${shown(actual)}`]
  if (isNear(expected)) {
    return typeof actual === 'number' && Math.abs(actual - expected.value) <= expected.within ? [] : wrong
  }
  if (isNumerals(expected)) return accepts(expected, actual) ? [] : wrong
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return wrong
    return expected.flatMap((item, i) => differences(item, actual[i], `${at}/${i}`))
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return wrong
    const wanted = Object.keys(expected).filter((k) => expected[k] !== undefined)
    const surplus = Object.keys(actual).filter((k) => expected[k] === undefined)
    return [
      ...surplus.map((k) => `${at}/${k}: expected nothing, got ${shown(actual[k])}`),
      ...wanted.flatMap((k) => differences(expected[k], actual[k], `${at}/${k}`)),
    ]
  }
  return expected === actual ? [] : wrong
}

function shown(v: unknown): string {
  const text = JSON.stringify(v) ?? 'nothing'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
