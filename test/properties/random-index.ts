import fc from 'fast-check'
import { call } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { seed } from '../support/seed.ts'
import { collection, documents, mapping, type RandomDocument } from './oracle/documents.ts'

/** Loads random documents as index and collection `name`; the same run seed gives the same documents. */
export async function loadRandomDocuments(
  base: string,
  name: string,
  count: number,
): Promise<readonly RandomDocument[]> {
  const [made = []] = fc.sample(documents(count), { seed, numRuns: 1 })
  const lines = made.map((d, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(d.wire)}\n`)
  await createIndex(base, name, mapping, lines.join(''))
  await putCollection(base, name, { ...collection, index_name: name })
  return made
}

/** Parameters of fast-check for a suite of `runs`, bounded in time; failures print the seed. */
export const bounded = (runs: number, ms = 20_000): fc.Parameters<unknown> => ({
  seed,
  numRuns: runs,
  interruptAfterTimeLimit: ms,
  markInterruptAsFailure: false,
})

/** The total of a `_count`; throws the answer when it is refused. */
export async function countOf(base: string, collectionName: string, filter: unknown): Promise<number> {
  const answer = await call(base, { method: 'POST', path: `/explore/${collectionName}/_count`, body: { filter } })
  if (answer.status !== 200) throw new Error(`${JSON.stringify(filter)} answered ${answer.status} ${answer.text}`)
  return (answer.json() as { readonly totalnb: number }).totalnb
}
