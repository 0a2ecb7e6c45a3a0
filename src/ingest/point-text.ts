/** Prints the point added to documents without one: `"lat,lon"`, the form dashboard loaders write. */
export function printPoint(lon: number, lat: number): string {
  return `${printDecimal(lat)},${printDecimal(lon)}`
}

/** Avoids the exponent form, which not every reader of such strings accepts. */
function printDecimal(value: number): string {
  const text = String(value === 0 ? 0 : value)
  return text.includes('e') ? value.toFixed(10) : text
}

export const isLongitude = (value: number): boolean => value >= -180 && value <= 180
export const isLatitude = (value: number): boolean => value >= -90 && value <= 90
