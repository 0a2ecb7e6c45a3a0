import fc from 'fast-check'
import type { RunningServer } from '../support/engines.ts'
import { call } from '../support/http-client.ts'
import { createIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { seed } from '../support/seed.ts'
import { collection, documents, mapping, type RandomDocument, renumbered } from './oracle/documents.ts'

/** Documents made once; larger sets repeat their content under other ids. */
const DISTINCT = 300

function makeDocuments(count: number): readonly RandomDocument[] {
  const [made = []] = fc.sample(documents(Math.min(count, DISTINCT)), { seed, numRuns: 1 })
  return Array.from({ length: count }, (_, n) => n).flatMap((n) => {
    const content = made[n % DISTINCT]
    return content === undefined ? [] : [renumbered(content, n)]
  })
}

const indexLine = (d: RandomDocument): string =>
  `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d.wire)}\n`

/** Loads random documents as index and collection `name`; the same run seed gives the same documents. */
export async function loadRandomDocuments(
  base: string,
  name: string,
  count: number,
): Promise<readonly RandomDocument[]> {
  const made = makeDocuments(count)
  await createIndex(base, name, mapping, made.map(indexLine).join(''))
  await putCollection(base, name, { ...collection, index_name: name })
  return made
}

/**
 * Enough documents for the engine to put them in order, and then, with `tail`, some new, changed and deleted ones that
 * it has not: every query must look at both parts.
 */
export async function loadArrangedDocuments(
  server: RunningServer,
  name: string,
  tail: boolean,
): Promise<readonly RandomDocument[]> {
  const first = await loadRandomDocuments(server.base, name, 10_200)
  await server.arrange()
  if (!tail) return first
  const fresh = makeDocuments(10_300).slice(10_200)
  const changed = first.slice(0, 100).map((d, n) => renumbered(first[n + 150] ?? d, n))
  const deleted = first.slice(100, 150)
  const lines = [...fresh, ...changed].map(indexLine)
  const removals = deleted.map((d) => `${JSON.stringify({ delete: { _id: d.id } })}\n`)
  await loadBulk(server.base, name, [...lines, ...removals].join(''))
  return [...changed, ...first.slice(150), ...fresh]
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
