const D = '(\\d{1,3})\\s*(?:°|º|˚|d|deg|:|\\s)'
const M = "\\s*(\\d{1,2}(?:[.,]\\d+)?)\\s*(?:'|’|′|m|:|\\s|$)"
const S = "(?:\\s*(\\d{1,2}(?:[.,]\\d+)?)\\s*(?:\"|”|″|''|’’|′′|s)?)?"
const HEMISPHERE = '[NSEW]'
const ANGLE = new RegExp(`^([NSEW+-])?\\s*${D}(?:${M}${S})?\\s*([NSEW])?$`, 'i')
const ANGLES = new RegExp(
  `^(.*?\\d.*?${HEMISPHERE})[\\s,;/]*(\\d.*${HEMISPHERE})$|^(${HEMISPHERE}.*?)[\\s,;/]*(${HEMISPHERE}.*)$`,
  'i',
)

/** Characters of the longest angle that is read. */
const LONGEST = 40

/** Returns an angle in degrees, minutes and seconds (`48°51'24"N`, `W 73 58.5`); undefined if the text is none. */
export function parseAngle(text: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return undefined
  const [, before = '', degrees, minutes = '0', seconds = '0', after = ''] = ANGLE.exec(trimmed) ?? []
  if (degrees === undefined || (/[NSEW]/i.test(before) && after !== '')) return undefined
  const [m, s] = [readDecimal(minutes), readDecimal(seconds)]
  if (m >= 60 || s >= 60) return undefined
  const size = (Number(degrees) * 3600 + m * 60 + s) / 3600
  return /[SW-]/i.test(before + after) ? -size : size
}

/** Returns latitude and longitude of a text with both, each with its hemisphere; undefined if it has none. */
export function parseAnglePair(text: string): readonly [latitude: number, longitude: number] | undefined {
  const trimmed = text.trim()
  if (trimmed.length > 2 * LONGEST) return undefined
  const [, first, second, third, fourth] = ANGLES.exec(trimmed) ?? []
  const [a, b] = [first ?? third ?? '', second ?? fourth ?? '']
  const [x, y] = [parseAngle(a), parseAngle(b)]
  if (x === undefined || y === undefined) return undefined
  if (/[NS]/i.test(a) && /[EW]/i.test(b)) return [x, y]
  return /[EW]/i.test(a) && /[NS]/i.test(b) ? [y, x] : undefined
}

const readDecimal = (text: string): number => Number(text.replace(',', '.'))
