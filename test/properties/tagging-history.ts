import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { TagStep } from '../../src/engine/step-observer.ts'
import { must } from '../support/http-client.ts'
import { createIndex, deleteCollection, dropIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'
import {
  type Command,
  type Condition,
  type Document,
  type ModelCollection,
  type Outcome,
  passes,
  type Replay,
  type Submission,
  TaggingModel,
  type World,
} from './oracle/tagging-model.ts'

/** Unmapped values are stored unchanged: `free` has a different structure in every document. */
const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    n: { type: 'integer' },
    group: { type: 'keyword' },
    tags: { type: 'keyword' },
    place: { type: 'geo_point' },
    time: { type: 'date' },
  },
}

/** Collections by name; all share one index. */
export const collections: Readonly<Record<string, ModelCollection>> = {
  all: {},
  some: { filter: { field: 'kind', op: 'ne', values: ['a'] } },
  few: { maxHits: 6 },
}

const filterOf = (condition: Condition | undefined) =>
  condition === undefined
    ? undefined
    : { f: [[{ field: condition.field, op: condition.op, value: condition.values.join(',') }]] }

const bodyOf = ({ path, value, search, filter, propagation }: Submission) => ({
  tag: { path, ...(value === undefined ? {} : { value }) },
  ...(search === undefined ? {} : { search: { filter: filterOf(search) } }),
  ...(filter === undefined ? {} : { filter: filterOf(filter) }),
  ...(propagation === undefined
    ? {}
    : { propagation: { field: propagation.field, filter: filterOf(propagation.filter) ?? {} } }),
})

/** Maximum number of worlds before the actual state is read. */
const MOST_WORLDS = 100

/** A history that takes longer to finish is a failure; the test times out after three times as long. */
const STUCK_MS = PATIENT.timeout / 3

interface Status extends Outcome {
  readonly id: string
  readonly progress: number
}

/** Action to run when the server reaches a step the next time. */
export class Steps {
  next: { readonly step: TagStep; readonly act: () => Promise<void> } | undefined

  async reach(step: TagStep): Promise<void> {
    const { next } = this
    if (next?.step !== step) return
    this.next = undefined
    await next.act()
  }
}

/** One history on a running server, with its own index and collections. */
export class History {
  readonly #name = `m${randomUUID().slice(0, 8)}`
  readonly #model = new TaggingModel(collections)
  readonly #sent: { readonly collection: string; readonly id: string; readonly offset: number }[] = []
  readonly #steps: Steps
  #server: RunningServer

  constructor(server: RunningServer, steps: Steps) {
    this.#server = server
    this.#steps = steps
  }

  get server(): RunningServer {
    return this.#server
  }

  async begin(documents: readonly Document[]): Promise<void> {
    await createIndex(this.#server.base, this.#name, mappings, linesOf(documents, []))
    this.#model.load(documents, [])
    const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
    for (const [collection, { filter, maxHits }] of Object.entries(collections)) {
      await putCollection(this.#server.base, this.#nameOf(collection), {
        index_name: this.#name,
        ...paths,
        taggable_fields: 'tags,free.labels, fresh.tags',
        ...(filter === undefined ? {} : { filter: filterOf(filter) }),
        ...(maxHits === undefined ? {} : { update_max_hits: maxHits }),
      })
    }
  }

  async play(commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      switch (command.kind) {
        case 'submit':
          await this.#submit(command)
          break
        case 'load':
          await this.#load(command.documents, command.deleted)
          break
        case 'replay':
          await this.#replay(command)
          break
        case 'restart':
          this.#server = await this.#server.restart()
          break
        case 'arrange':
          await this.#server.arrange()
          break
      }
    }
  }

  async #submit({ replay, ...submission }: Submission): Promise<void> {
    // Set before the record exists, because it may be chosen immediately.
    const replayed = replay && this.#replayWhenChosen(replay)
    const route = submission.untag ? '_untag' : '_tag'
    const collection = this.#nameOf(submission.collection)
    const request = { method: 'POST', path: `/write/${collection}/${route}`, body: bodyOf(submission) }
    const { id } = (await must(this.#server.base, request)) as Status
    const listed = (await must(this.#server.base, { path: `/status/${collection}/_taglist` })) as { offset: number }[]
    this.#sent.push({ collection, id, offset: listed.at(-1)?.offset ?? -1 })
    this.#model.submit(submission)
    await replayed?.()
  }

  /** Returns a function that waits for it. */
  #replayWhenChosen(replay: Replay): () => Promise<void> {
    const { from, offset } = this.#placeOf(replay)
    const chosen = Promise.withResolvers<void>()
    this.#steps.next = {
      step: 'chosen',
      act: () => this.#sendReplay(replay, offset).then(chosen.resolve, chosen.reject),
    }
    return async () => {
      await chosen.promise
      this.#model.replay(replay.collection, from)
    }
  }

  async #load(documents: readonly Document[], deleted: readonly string[]): Promise<void> {
    await this.#finish()
    const known = deleted.filter((id) => this.#model.has(id) && !documents.some((d) => d.id === id))
    const lines = linesOf(documents, known)
    if (lines === '') return
    await loadBulk(this.#server.base, this.#name, lines)
    this.#model.load(documents, known)
  }

  async #replay(replay: Replay): Promise<void> {
    const { looks } = replay
    if (looks === undefined) await this.#finish()
    else if (this.#model.worlds.length > MOST_WORLDS) await this.#look()
    const last = this.#sent.at(-1)
    for (let look = 0; last !== undefined && look < (looks ?? 0); look++) await this.#statusOf(last)
    const { from, offset } = this.#placeOf(replay)
    await this.#sendReplay(replay, offset)
    this.#model.replay(replay.collection, from)
  }

  #placeOf({ back }: Replay): { readonly from: number; readonly offset: number } {
    const from = Math.max(0, this.#sent.length - back)
    return { from, offset: this.#sent[from]?.offset ?? (this.#sent.at(-1)?.offset ?? -1) + 1 }
  }

  async #sendReplay({ collection }: Replay, offset: number): Promise<void> {
    const path = `/write/${this.#nameOf(collection)}/_tagreplay?offset=${offset}`
    expect(await must(this.#server.base, { method: 'POST', path })).toBe(offset)
  }

  /** Waits until all requests are finished. */
  async #finish(): Promise<void> {
    const until = Date.now() + STUCK_MS
    for (const request of this.#sent) {
      for (;;) {
        const status = await this.#statusOf(request)
        if (status.progress === 100) break
        if (Date.now() > until) throw new Error(`not finished: ${JSON.stringify(status)}`)
        await new Promise((next) => setTimeout(next, 5))
      }
    }
    this.#model.settle()
  }

  async check(): Promise<void> {
    const { documents } = await this.#look()
    for (const value of ['x', '7', 'true', "it's"]) {
      const condition: Condition = { field: 'tags', op: 'eq', values: [value] }
      const path = `/explore/${this.#nameOf('all')}/_count`
      const answer = await must(this.#server.base, { method: 'POST', path, body: { filter: filterOf(condition) } })
      const expected = [...documents.values()].filter((document) => passes(document, condition)).length
      expect(answer, `tagged ${value}`).toMatchObject({ totalnb: expected })
    }
  }

  /** Returns the world of the model that matches the server. */
  async #look(): Promise<World> {
    await this.#finish()
    const outcomes: unknown[] = []
    for (const request of this.#sent) {
      const { propagated, nbRequest, updated, failed } = await this.#statusOf(request)
      outcomes.push({ propagated, nbRequest, updated, failed })
    }
    const documents: Record<string, unknown> = {}
    for (const id of this.#model.worlds[0]?.documents.keys() ?? []) {
      const path = `/index/${this.#name}/_doc/${id}`
      documents[id] = ((await must(this.#server.base, { path })) as { _source: unknown })._source
    }
    const found = { outcomes, documents }
    const shown = (world: World) => ({ outcomes: world.outcomes, documents: Object.fromEntries(world.documents) })
    const world = this.#model.worlds.find((one) => isDeepStrictEqual(found, shown(one)))
    if (world === undefined) {
      // Shows the difference to one of them.
      expect(found, `none of ${this.#model.worlds.length} worlds`).toEqual(this.#model.worlds.map(shown)[0])
      throw new Error('the state matches no world of the model')
    }
    this.#model.keep(world)
    return world
  }

  async #statusOf({ collection, id }: { readonly collection: string; readonly id: string }): Promise<Status> {
    return (await must(this.#server.base, { path: `/status/${collection}/_tag/${id}` })) as Status
  }

  async remove(): Promise<void> {
    for (const collection of Object.keys(collections)) {
      await deleteCollection(this.#server.base, this.#nameOf(collection))
    }
    await dropIndex(this.#server.base, this.#name)
  }

  #nameOf(collection: string): string {
    return `${this.#name}_${collection}`
  }
}

const linesOf = (documents: readonly Document[], deleted: readonly string[]): string =>
  [
    ...documents.map((d) => `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d)}\n`),
    ...deleted.map((id) => `${JSON.stringify({ delete: { _id: id } })}\n`),
  ].join('')
