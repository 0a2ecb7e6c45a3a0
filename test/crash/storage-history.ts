import type { Engine, WriteOperation } from '../../src/engine/engine.ts'
import type { Mapping } from '../../src/model/mapping.ts'

/** Each index is written by a stream of its own, one write after the other. */
export const INDICES = ['plain', 'watched'] as const

export type IndexName = (typeof INDICES)[number]

export const mapping: Mapping = {
  properties: { id: { type: 'keyword' }, n: { type: 'integer' }, tags: { type: 'keyword' } },
}

/** Identifiers of the documents. Large writes have others. */
const IDS = 60

/** More operations than the journal takes. */
const LARGE = 1_500

/** Returns the n-th write of a stream. The same for the same seed. */
export function writeOf(seed: number, index: IndexName, n: number): readonly WriteOperation[] {
  const random = drawer(seed * 1_000_003 + n * 31 + INDICES.indexOf(index))
  // A large write adds documents, and removes those of the previous one.
  if (n % 17 === 13) {
    return Array.from({ length: LARGE }, (_, i) => ({ kind: 'index', id: `l${i % 1_200}`, source: { id: `l${i}`, n } }))
  }
  return Array.from({ length: 1 + random(12) }, (): WriteOperation => {
    const id = `d${random(IDS)}`
    const chance = random(10)
    if (chance < 2) return { kind: 'delete', id }
    if (chance < 4) return { kind: 'update', id, doc: { n }, upsert: true }
    const source = { id, n, ...(chance === 9 && { tags: ['x', 'y'] }), ...(n % 19 === 7 && { [`new${n}`]: chance }) }
    return { kind: 'index', id, source }
  })
}

/** The documents after the first `count` writes, by identifier. */
export function documentsAfter(seed: number, index: IndexName, count: number): Map<string, unknown> {
  const documents = new Map<string, unknown>()
  for (let n = 0; n < count; n++) {
    for (const operation of writeOf(seed, index, n)) {
      const { id = '' } = operation
      if (operation.kind === 'delete') documents.delete(id)
      else if (operation.kind === 'update')
        documents.set(id, { ...(documents.get(id) as object | undefined), ...operation.doc })
      else documents.set(id, operation.source)
    }
  }
  return documents
}

/** Subscribes to all changes of one index. */
export function watch({ changes }: Engine): void {
  changes?.watch({ mark: () => 1, wants: (index) => (index === 'watched' ? 'after' : 'nothing') })
}

function drawer(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state ^ (state >>> 13)) % below
  }
}
