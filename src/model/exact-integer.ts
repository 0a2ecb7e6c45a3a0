/** An integer that a double cannot hold, as `parseRewritable` reads it: JSON.stringify prints its digits. */
export type ExactInteger = { readonly rawJSON: string }

/** The runtime has them, TypeScript's library not yet. */
const { isRawJSON, rawJSON } = JSON as unknown as {
  isRawJSON(value: unknown): boolean
  rawJSON(text: string): ExactInteger
}

/** False of an object that only looks like one. */
export const isExactInteger = (value: unknown): value is ExactInteger => isRawJSON(value)

export const exactInteger = (digits: string): ExactInteger => rawJSON(digits)

/** The double next to it, for comparisons with values that doubles hold. */
export const nearestDouble = (value: number | ExactInteger): number =>
  typeof value === 'number' ? value : Number(value.rawJSON)

/** Of an integer. */
export const toBigInt = (value: number | ExactInteger): bigint =>
  BigInt(typeof value === 'number' ? value : value.rawJSON)
