/** An integer that a double cannot represent, as parsed by `parseRewritable`; JSON.stringify prints its digits. */
export type ExactInteger = { readonly rawJSON: string }

/** False for a plain object with a `rawJSON` member. */
export const isExactInteger = (value: unknown): value is ExactInteger => JSON.isRawJSON(value)

export const exactInteger = (digits: string): ExactInteger => JSON.rawJSON(digits)

/** Returns the nearest double, for comparisons with doubles. */
export const nearestDouble = (value: number | ExactInteger): number =>
  typeof value === 'number' ? value : Number(value.rawJSON)

/** Requires an integer. */
export const toBigInt = (value: number | ExactInteger): bigint =>
  BigInt(typeof value === 'number' ? value : value.rawJSON)
