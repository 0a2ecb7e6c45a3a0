import { H3Locator } from './h3-locator.ts'

/** Maximum cached resolutions; a dashboard uses few at a time. */
const MOST_LOCATORS = 3

const locators = new Map<number, H3Locator>()

/** Returns the locator of a resolution, with its cached cells. */
export function h3LocatorOf(resolution: number): H3Locator {
  const locator = locators.get(resolution) ?? new H3Locator(resolution)
  locators.delete(resolution)
  locators.set(resolution, locator)
  const [oldest] = locators.keys()
  if (locators.size > MOST_LOCATORS && oldest !== undefined) locators.delete(oldest)
  return locator
}
