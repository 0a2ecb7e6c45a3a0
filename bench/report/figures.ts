/** Figures as text, the same in all reports. */

const THOUSANDS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** Rounded, with commas between thousands. */
export const whole = (value: number): string => THOUSANDS.format(value)

export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** A few significant digits, for labels with little room. */
export const short = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)))

/** Minutes and seconds in words that do not pretend to be exact. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`
}
