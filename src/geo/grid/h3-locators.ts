import { H3Locator } from './h3-locator.ts'

/** Resolutions whose cells are remembered; a dashboard shows few at a time. */
const MOST_LOCATORS = 3

const locators = new Map<number, H3Locator>()

/** The locator of a resolution, with the cells it remembers. */
export function h3LocatorOf(resolution: number): H3Locator {
  const locator = locators.get(resolution) ?? new H3Locator(resolution)
  locators.delete(resolution)
  locators.set(resolution, locator)
  const [oldest] = locators.keys()
  if (locators.size > MOST_LOCATORS && oldest !== undefined) locators.delete(oldest)
  return locator
}
