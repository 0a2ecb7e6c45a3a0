import { signal } from '@preact/signals'
import type { CollectionDescription, Hits } from '../api/answers.ts'
import { ask } from '../api/request.ts'
import type { Known } from './examples.ts'
import { type Sample, sampleOf } from './sample.ts'

/** The document that examples are about. */
export const sample = signal<Sample | undefined>(undefined)

export const known = signal<Known>({})

/** Whether requests that change data may be sent. */
export const changesAllowed = signal(false)

/** Names of the collections that the caller may see. */
export async function listCollections(): Promise<readonly string[]> {
  const all = await ask<readonly CollectionDescription[]>('explore/_list')
  return all.map(({ collection_name }) => collection_name).sort()
}

/** Takes a document of a collection as the sample; none if the collection is empty. */
export async function chooseSample(collection: string): Promise<void> {
  const name = encodeURIComponent(collection)
  const [description, { hits }] = await Promise.all([
    ask<CollectionDescription>(`explore/${name}/_describe`),
    ask<Hits>(`explore/${name}/_search?size=1`),
  ])
  sample.value = hits[0] === undefined ? undefined : sampleOf(description, hits[0])
}
