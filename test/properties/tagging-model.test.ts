import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines, type RunningServer } from '../support/engines.ts'
import { must } from '../support/http-client.ts'
import { createIndex, deleteCollection, dropIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import {
  type Command,
  type Condition,
  commands,
  type Document,
  firstDocuments,
  type ModelCollection,
  passes,
  type Submission,
  TaggingModel,
} from './oracle/tagging-model.ts'
import { tryWithin } from './random-index.ts'

/** What is not mapped is kept as it is: `free` has another form in every document. */
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

const collections: Readonly<Record<string, ModelCollection>> = {
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

interface Status {
  readonly id: string
  readonly progress: number
}

/** One history on a running server: an index and collections of its own. */
class History {
  readonly #name = `m${randomUUID().slice(0, 8)}`
  readonly #model = new TaggingModel(collections)
  readonly #sent: { readonly collection: string; readonly id: string; readonly offset: number }[] = []
  #server: RunningServer

  constructor(server: RunningServer) {
    this.#server = server
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

  async submit(submission: Submission): Promise<void> {
    const route = submission.untag ? '_untag' : '_tag'
    const collection = this.#nameOf(submission.collection)
    const request = { method: 'POST', path: `/write/${collection}/${route}`, body: bodyOf(submission) }
    const { id } = (await must(this.#server.base, request)) as Status
    const listed = (await must(this.#server.base, { path: `/status/${collection}/_taglist` })) as { offset: number }[]
    this.#sent.push({ collection, id, offset: listed.at(-1)?.offset ?? -1 })
    this.#model.submit(submission)
  }

  async load(documents: readonly Document[], deleted: readonly string[]): Promise<void> {
    await this.finish()
    const known = deleted.filter((id) => this.#model.documents.has(id) && !documents.some((d) => d.id === id))
    const lines = linesOf(documents, known)
    if (lines === '') return
    await loadBulk(this.#server.base, this.#name, lines)
    this.#model.load(documents, known)
  }

  async replay(collection: string, back: number): Promise<void> {
    await this.finish()
    const from = Math.max(0, this.#sent.length - back)
    const offset = this.#sent[from]?.offset ?? (this.#sent.at(-1)?.offset ?? -1) + 1
    const path = `/write/${this.#nameOf(collection)}/_tagreplay?offset=${offset}`
    expect(await must(this.#server.base, { method: 'POST', path })).toBe(offset)
    this.#model.replay(collection, from)
  }

  async restart(): Promise<void> {
    this.#server = await this.#server.restart()
  }

  /** Every request has been carried out. */
  async finish(): Promise<void> {
    const until = Date.now() + PATIENT.timeout
    for (const { collection, id } of this.#sent) {
      for (;;) {
        const status = (await must(this.#server.base, { path: `/status/${collection}/_tag/${id}` })) as Status
        if (status.progress === 100) break
        if (Date.now() > until) throw new Error(`not finished: ${JSON.stringify(status)}`)
        await new Promise((next) => setTimeout(next, 5))
      }
    }
  }

  async check(): Promise<void> {
    await this.finish()
    for (const [n, { collection, id }] of this.#sent.entries()) {
      const status = await must(this.#server.base, { path: `/status/${collection}/_tag/${id}` })
      expect(status, `request ${n}`).toMatchObject({ ...this.#model.records[n]?.outcome })
    }
    for (const [id, document] of this.#model.documents) {
      const path = `/index/${this.#name}/_doc/${id}`
      const { _source } = (await must(this.#server.base, { path })) as { _source: unknown }
      expect(_source, `document ${id}`).toEqual(document)
    }
    for (const value of ['x', '7', 'true', "it's"]) {
      const condition: Condition = { field: 'tags', op: 'eq', values: [value] }
      const path = `/explore/${this.#nameOf('all')}/_count`
      const answer = await must(this.#server.base, { method: 'POST', path, body: { filter: filterOf(condition) } })
      const expected = [...this.#model.documents.values()].filter((document) => passes(document, condition)).length
      expect(answer, `tagged ${value}`).toMatchObject({ totalnb: expected })
    }
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

describeEach(engines)('tagging on the $name engine', ({ start, share }) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.stop())

  test('any history ends as it does in a plain model', async () => {
    const histories = fc.tuple(firstDocuments(12), commands(Object.keys(collections)))
    const law = async ([documents, steps]: [readonly Document[], readonly Command[]]): Promise<void> => {
      const history = new History(server)
      try {
        await history.begin(documents)
        await play(history, steps)
        await history.check()
      } finally {
        server = history.server
        await history.remove()
      }
    }
    await tryWithin(histories, law, 60, 30_000 * share)
  })
})

async function play(history: History, steps: readonly Command[]) {
  for (const step of steps) {
    switch (step.kind) {
      case 'submit':
        await history.submit(step)
        break
      case 'load':
        await history.load(step.documents, step.deleted)
        break
      case 'replay':
        await history.replay(step.collection, step.back)
        break
      case 'restart':
        await history.restart()
        break
      case 'arrange':
        await history.server.arrange()
        break
    }
  }
}
