import { LRUCache } from 'lru-cache'
import { H3Locator } from './h3-locator.ts'

/** Maximum cached resolutions; a dashboard uses few at a time. The least recently used are evicted. */
const MOST_LOCATORS = 3

const locators = new LRUCache<number, H3Locator>({
  max: MOST_LOCATORS,
  memoMethod: (resolution) => new H3Locator(resolution),
})

/** Returns the locator of a resolution, with its cached cells. */
export function h3LocatorOf(resolution: number): H3Locator {
  return locators.memo(resolution)
}
