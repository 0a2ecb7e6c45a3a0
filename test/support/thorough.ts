/**
 * Suites that kill servers, send thousands of requests or compare engines over long histories take most of the time of
 * `npm test`. It runs a part of their cases, other ones each time. With TEST_THOROUGH=true, which `.ci/run` sets, all
 * of them are run.
 */
export const isThorough = process.env.TEST_THOROUGH === 'true'

/** Returns all cases, or that share of them, at random and in their order. */
export function someOf<T>(cases: readonly T[], share: number): readonly T[] {
  if (isThorough) return cases
  const most = Math.ceil(cases.length * share)
  const taken = new Set<number>()
  while (taken.size < most) taken.add(Math.floor(Math.random() * cases.length))
  return cases.filter((_, i) => taken.has(i))
}

/** Number of tries: all of them, or that share. */
export const triesOf = (all: number, share: number): number => (isThorough ? all : Math.ceil(all * share))
