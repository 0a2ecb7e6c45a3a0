import type { ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { isWireObject, parseWire, printWire } from '../../../cluster-client/wire-json.ts'
import { mergeDocument } from '../../../model/json/json-object.ts'
import type { ChangeInterest, ChangeKind } from '../../change-feed.ts'
import type { WriteOperation, WriteResult } from '../../engine.ts'
import { type CurrentDocument, readDocuments } from '../request/current-documents.ts'
import type { BulkItem } from '../write/bulk-batch.ts'
import type { IntendedChange } from './change-feed-slot.ts'

/** Documents per lookup request. */
const AT_ONCE = 500

/** An operation of a load, with the identifier it is sent with. */
interface LoadOperation {
  readonly id: string
  readonly position: number
  readonly operation: WriteOperation
}

/** The changes made by a request of a load, one per document. */
export class LoadChanges {
  readonly #index: string
  readonly #interest: ChangeInterest
  readonly #byId: ReadonlyMap<string, readonly LoadOperation[]>
  readonly #before: ReadonlyMap<string, CurrentDocument | undefined>

  private constructor(
    index: string,
    interest: ChangeInterest,
    byId: ReadonlyMap<string, readonly LoadOperation[]>,
    before: ReadonlyMap<string, CurrentDocument | undefined>,
  ) {
    this.#index = index
    this.#interest = interest
    this.#byId = byId
    this.#before = before
  }

  /** Reads the documents before the request. */
  static async prepare(
    client: ClusterClient,
    index: string,
    interest: ChangeInterest,
    items: readonly BulkItem[],
    operations: readonly WriteOperation[],
  ): Promise<LoadChanges> {
    const all = items.flatMap(({ id, position }) => {
      const operation = operations[position]
      return operation === undefined ? [] : [{ id, position, operation }]
    })
    const byId = Map.groupBy(all, ({ id }) => id)
    const before = new Map<string, CurrentDocument | undefined>()
    const ids = [...byId.keys()]
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const some = ids.slice(from, from + AT_ONCE)
      const found = await readDocuments(
        client,
        some.map((id) => ({ index, id })),
      )
      for (const [i, id] of some.entries()) before.set(id, found[i])
    }
    return new LoadChanges(index, interest, byId, before)
  }

  /** Returns the expected changes or, with results, the changes made. */
  changes(written?: ReadonlyMap<number, WriteResult>): readonly IntendedChange[] {
    return [...this.#byId].flatMap(([id, operations]) => this.#changeOf(id, operations, written) ?? [])
  }

  #changeOf(
    id: string,
    operations: readonly LoadOperation[],
    written: ReadonlyMap<number, WriteResult> | undefined,
  ): IntendedChange | undefined {
    const found = this.#before.get(id)
    const results = operations.map(({ position }) => written?.get(position))
    const done = operations.filter((_, i) => written === undefined || results[i]?.ok === true)
    if (done.length === 0) return undefined
    const first = results.find((result) => result?.ok === true)
    // Another client may have created or deleted it after the lookup.
    const existed = first?.ok === true ? first.result !== 'created' : found !== undefined
    const before = found === undefined ? undefined : printWire(found.source)
    let text = existed ? (before ?? '{}') : undefined
    for (const { operation } of done) text = play(operation, text, written !== undefined)
    if (!existed && text === undefined) return undefined
    const kind: ChangeKind = text === undefined ? 'DELETE' : existed ? 'UPDATE' : 'CREATE'
    const want = this.#interest.wants(this.#index, kind)
    const isNoop = kind === 'UPDATE' && done.every(({ operation }) => operation.kind === 'update') && text === before
    if (want === 'nothing' || isNoop) return undefined
    return {
      kind,
      index: this.#index,
      id,
      ...(found === undefined ? {} : { seqNo: found.seqNo }),
      ...(before !== undefined && (want === 'both' || kind === 'DELETE') ? { before } : {}),
      ...(text === undefined ? {} : { after: text }),
    }
  }
}

/** Returns the text of a document after an operation; undefined if it does not exist. */
function play(operation: WriteOperation, text: string | undefined, isDone: boolean): string | undefined {
  switch (operation.kind) {
    case 'index':
      return operation.text ?? JSON.stringify(operation.source)
    case 'create':
      return text === undefined || isDone ? (operation.text ?? JSON.stringify(operation.source)) : text
    case 'update': {
      if (text === undefined) return operation.upsert === true || isDone ? JSON.stringify(operation.doc) : undefined
      const stored = parseWire(text)
      return isWireObject(stored) ? printWire(mergeDocument(stored, operation.doc as WireObject)) : text
    }
    case 'delete':
      return undefined
  }
}
