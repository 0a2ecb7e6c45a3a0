import { signal } from '@preact/signals'

/** More would no longer fit into the address of a request. */
export const MOST_TICKED = 200

/** Identifiers of the documents ticked in the list, in the order they were ticked. No part of a link: they are for the next deed. */
export const ticked = signal<readonly string[]>([])

export function toggleTicked(id: string): void {
  const { value } = ticked
  ticked.value = value.includes(id) ? value.filter((other) => other !== id) : [...value, id].slice(0, MOST_TICKED)
}

export const untickAll = (): void => {
  ticked.value = []
}
