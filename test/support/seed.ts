/** Set to the seed printed by a failure to reproduce it. */
const repeated: number | undefined = undefined

/** Seed of this run of the property suites; every failure prints it. */
export const seed: number = repeated ?? Math.floor(Math.random() * 2 ** 31)
