import { randomUUID } from 'node:crypto'
import { problem } from '../../errors.ts'
import { extendMapping } from '../../mapping/extend-mapping.ts'
import { checkFieldCount } from '../../model/field-limit.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { OpenedFiles } from '../engine.ts'
import type { Compactor } from './compact/compactor.ts'
import type { PartStore } from './compact/part-store.ts'
import { checkOpened, type openSources } from './files/opened-sources.ts'
import { type SourceDirectory, sourceFileOf } from './files/source-directory.ts'
import type { IndexDefinition } from './index/index-definition.ts'
import { declareColumns, layoutOf } from './index/table-layout.ts'
import { IndexParts } from './parts/index-parts.ts'
import { addDefinition, removeDefinition, saveDefinition } from './table/catalog.ts'
import { IndexTable } from './table/index-table.ts'
import { isOpened, tableOf } from './table/tables-by-name.ts'
import { addManyFields, setMapping } from './write/widen-mapping.ts'
import type { WritePlanner } from './write/write-planner.ts'
import type { Writes } from './write/writes.ts'

/** What changes of indices need of the engine. */
export interface OwnedParts {
  readonly sources: SourceDirectory
  readonly openSources: ReturnType<typeof openSources>
  readonly tables: Map<string, IndexTable>
  readonly planner: WritePlanner
  readonly writes: Writes
  readonly compactor: Compactor
  readonly parts: PartStore
  readonly mostFields: number
}

/** Creates, changes and drops indices. */
export class EngineIndices {
  readonly #sources: SourceDirectory
  readonly #openSources: OwnedParts['openSources']
  readonly #tables: Map<string, IndexTable>
  readonly #planner: WritePlanner
  readonly #writes: Writes
  readonly #compactor: Compactor
  readonly #parts: PartStore
  readonly #mostFields: number

  constructor(engine: OwnedParts) {
    this.#sources = engine.sources
    this.#openSources = engine.openSources
    this.#tables = engine.tables
    this.#planner = engine.planner
    this.#writes = engine.writes
    this.#compactor = engine.compactor
    this.#parts = engine.parts
    this.#mostFields = engine.mostFields
  }

  async create(name: string, mapping: Mapping, opened?: OpenedFiles): Promise<void> {
    checkFieldCount(mapping, this.#mostFields)
    const uuid = randomUUID()
    const layout = layoutOf(mapping)
    const definition: IndexDefinition = {
      name,
      uuid,
      table: `index_${uuid.replaceAll('-', '')}`,
      mapping,
      layout,
      documents: 0,
      nextSeq: 0,
      sourceFile: sourceFileOf(uuid, 1),
      sourceEnd: 0,
      sourceStale: 0,
      segments: [],
      version: 1,
      ...(opened && { opened: { ...opened, isSealed: false } }),
    }
    await this.#writes.exclusive(async (transact) => {
      if (this.#tables.has(name)) throw problem('CONFLICT', { name: `Index ${name}` })
      const created = await transact((connection) =>
        this.#sources.during(async (makeFile) => {
          await connection.run(`CREATE TABLE ${definition.table} (${declareColumns(layout)})`)
          await addDefinition(connection, definition)
          const sources = this.#openSources(definition, await makeFile(definition.sourceFile))
          return new IndexTable(definition, sources, IndexParts.none)
        }),
      )
      this.#tables.set(name, created)
    })
  }

  /** The files must not have changed while the index was filled. */
  async seal(name: string): Promise<void> {
    await this.#writes.exclusive(async (transact) => {
      const table = tableOf(this.#tables, name)
      const { opened, version } = table.definition
      if (opened === undefined) throw new Error(`index ${name} does not show opened files`)
      await checkOpened([table])
      const definition = { ...table.definition, opened: { ...opened, isSealed: true }, version: version + 1 }
      await transact((connection) => saveDefinition(connection, definition))
      this.#tables.set(name, table.changed(definition))
    })
  }

  async drop(name: string): Promise<void> {
    const dropped = await this.#writes.exclusive(async (transact) => {
      const table = tableOf(this.#tables, name)
      await transact(async (connection) => {
        await connection.run(`DROP TABLE ${table.table}`)
        await removeDefinition(connection, name)
      })
      this.#tables.delete(name)
      return table
    })
    this.#planner.forget(dropped.definition.uuid)
    this.#compactor.forget(name)
    this.#parts.forget(name)
    await this.#parts.remove(dropped)
    await dropped.sources.remove()
  }

  /** One transaction: after a crash, both indices are there or the replaced one is gone. */
  async replace(name: string, by: string): Promise<void> {
    const dropped = await this.#writes.exclusive(async (transact) => {
      const [table, next] = [tableOf(this.#tables, name), tableOf(this.#tables, by)]
      if (table === next) throw problem('CONFLICT', { name: `Index ${name}`, reason: 'cannot replace itself' })
      const { definition } = next
      const renamed: IndexDefinition = { ...definition, name, version: definition.version + 1 }
      await transact(async (connection) => {
        await connection.run(`DROP TABLE ${table.table}`)
        await removeDefinition(connection, name)
        await removeDefinition(connection, by)
        await addDefinition(connection, renamed)
      })
      this.#tables.delete(by)
      this.#tables.set(name, next.changed(renamed))
      return table
    })
    this.#planner.forget(dropped.definition.uuid)
    for (const gone of [name, by]) {
      this.#compactor.forget(gone)
      this.#parts.forget(gone)
    }
    this.#compactor.wrote(name)
    this.#parts.written(name)
    await this.#parts.remove(dropped)
    await dropped.sources.remove()
  }

  async extendMapping(name: string, addition: Mapping): Promise<void> {
    await this.#writes.exclusive(async (transact) => {
      const table = tableOf(this.#tables, name)
      const { mapping } = table.definition
      if (isOpened(table)) throw problem('INDEX_READ_ONLY', { name })
      const wider = extendMapping(mapping, addition, 'refuse')
      checkFieldCount(wider, this.#mostFields, mapping)
      await setMapping(transact, this.#tables, await addManyFields(transact, this.#tables, table, wider), wider)
    })
  }
}
