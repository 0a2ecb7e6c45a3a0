import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { JsonObject } from '../../model/json/document.ts'
import type { TagRecord } from '../../model/tag-record.ts'
import type { TagAction, TagValue } from '../../model/tag-request.ts'
import { everything, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import type { Engine } from '../engine.ts'
import type { TagStatus, TagStore } from '../tag-store.ts'
import type { TagTask } from '../tag-task.ts'
import { Database } from './database/database.ts'
import { type DuckdbEngineOptions, openDuckdbEngine } from './open-engine.ts'
import { defaultTagging } from './tag/tag-host.ts'

interface TagOptions extends Partial<Omit<TagTask, 'record' | 'now' | 'propagation'>> {
  readonly collection?: string
  readonly path?: string
  readonly offset?: number
  readonly propagation?: { readonly field: string; readonly selection?: Predicate }
}

/** Temporary engine with helpers for tests of tags. */
export class TaggedEngine {
  readonly directory: string
  readonly #options: Partial<DuckdbEngineOptions>
  engine: Engine
  #offset = 0

  private constructor(directory: string, options: Partial<DuckdbEngineOptions>, engine: Engine) {
    this.directory = directory
    this.#options = options
    this.engine = engine
  }

  static async open(options: Partial<DuckdbEngineOptions> = {}): Promise<TaggedEngine> {
    const directory = mkdtempSync(join(tmpdir(), 'periplus-tags-'))
    return new TaggedEngine(directory, options, await openIn(directory, options))
  }

  get tags(): TagStore {
    if (!this.engine.tags) throw new Error('the engine has no tags')
    return this.engine.tags
  }

  /** `meanwhile` may change what is stored. */
  async restart(meanwhile?: (connection: DuckDBConnection) => Promise<unknown>): Promise<void> {
    await this.engine.close()
    if (meanwhile) {
      const database = await Database.open(optionsIn(this.directory, this.#options))
      await database.write(meanwhile)
      await database.close({ checkpoint: true })
    }
    this.engine = await openIn(this.directory, this.#options)
  }

  async close(): Promise<void> {
    await this.engine.close()
    rmSync(this.directory, { recursive: true })
  }

  async put(index: string, documents: Readonly<Record<string, JsonObject>>): Promise<void> {
    const results = await this.engine.write(
      index,
      Object.entries(documents).map(([id, source]) => ({ kind: 'index', id, source })),
    )
    const refused = results.find((result) => !result.ok)
    if (refused) throw new Error(JSON.stringify(refused))
  }

  async field(path: string): Promise<Field> {
    const found = schemaOf(await this.engine.indices('*')).lookup(path)
    if (!found) throw new Error(`no field ${path}`)
    return found
  }

  async task(action: TagAction, value: TagValue | undefined, options: TagOptions = {}): Promise<TagTask> {
    const { collection = 'things', path = 'tags', offset = this.#offset++, propagation, ...task } = options
    const record: TagRecord = {
      v: 1,
      offset,
      id: randomUUID(),
      collection,
      action,
      creationTime: 1_000,
      request: { tag: { path, ...(value === undefined ? {} : { value }) } },
    }
    return {
      record,
      run: 0,
      startMs: 1_000,
      indices: ['things'],
      target: everything,
      maxHits: 2_147_483_647,
      idPath: 'id',
      now: Date.now,
      ...task,
      ...(propagation
        ? { propagation: { selection: everything, ...propagation, field: await this.field(propagation.field) } }
        : {}),
    }
  }

  /** Runs all steps of a record. Returns their statuses. */
  async run(task: TagTask): Promise<readonly TagStatus[]> {
    const { signal } = new AbortController()
    const statuses = [await this.tags.plan(task, signal)]
    while (!statuses.at(-1)?.finished) statuses.push(await this.tags.apply(task, signal))
    return statuses
  }

  async tag(action: TagAction, value?: TagValue, options: TagOptions = {}): Promise<TagStatus> {
    const status = (await this.run(await this.task(action, value, options))).at(-1)
    if (!status) throw new Error('a record has a status')
    return status
  }

  async texts(index = 'things'): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for await (const batch of this.engine.scan({ indices: [index], predicate: everything })) {
      for (const { id, text = '' } of batch) found[id] = text
    }
    return found
  }

  async sources(index = 'things'): Promise<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(await this.texts(index)).map(([id, text]) => [id, JSON.parse(text)]))
  }
}

const optionsIn = (directory: string, options: Partial<DuckdbEngineOptions>): DuckdbEngineOptions => ({
  directory,
  memoryMiB: 256,
  threads: 2,
  concurrency: 4,
  ...options,
})

const openIn = (directory: string, options: Partial<DuckdbEngineOptions>): Promise<Engine> =>
  openDuckdbEngine(optionsIn(directory, options))

/** Batches of a fixed size, whatever time they take. */
export const batchesOf = (size: number): Pick<DuckdbEngineOptions, 'tagging'> => ({
  tagging: { ...defaultTagging, batch: { start: size, min: size, max: size, targetMs: 250 } },
})
