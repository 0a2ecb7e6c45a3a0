/** Set this to the seed a failure printed to repeat it. */
const repeated: number | undefined = undefined

/** The seed of this run of the property suites; every failure prints it. */
export const seed: number = repeated ?? Math.floor(Math.random() * 2 ** 31)
