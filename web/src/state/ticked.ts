import { signal } from '@preact/signals'

/** Maximum ticked documents; more would not fit into a URL. */
export const MOST_TICKED = 200

/**
 * Ids of the ticked documents, in the order they were ticked. Not part of links, because they are only used for the
 * next action.
 */
export const ticked = signal<readonly string[]>([])

export function toggleTicked(id: string): void {
  const { value } = ticked
  ticked.value = value.includes(id) ? value.filter((other) => other !== id) : [...value, id].slice(0, MOST_TICKED)
}

export const untickAll = (): void => {
  ticked.value = []
}
