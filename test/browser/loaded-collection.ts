import { expect } from 'vitest'

/** Loads documents into a new collection of the same name. */
export async function loadCollection(base: string, name: string, documents: readonly object[]): Promise<void> {
  const body = documents.map((document) => `${JSON.stringify(document)}\n`).join('')
  const response = await fetch(`${base}/load/${name}.ndjson`, { method: 'PUT', body })
  expect(response.ok, await response.text()).toBe(true)
}
