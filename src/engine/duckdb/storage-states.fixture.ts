import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { Field } from '../../query/schema/field.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import type { Engine } from '../engine.ts'
import type { Path } from './answer/planner.ts'
import { openDuckdbEngine } from './open-engine.ts'

/** Where documents are, and which path reads them. Results must not depend on it. */
export const storageStates = ['in a tail', 'sealed', 'sealed, the second half later', 'read by SQL'] as const

type StorageState = (typeof storageStates)[number]

interface LoadedIndex {
  readonly name: string
  readonly mapping: Mapping
  readonly documents: readonly JsonObject[]
}

export interface LoadedEngine {
  readonly engine: Engine
  readonly field: (path: string) => Field
  readonly close: () => Promise<void>
}

/** Opens a temporary engine with the indices in the given state. */
export async function loadEngine(state: StorageState, indices: readonly LoadedIndex[]): Promise<LoadedEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-states-'))
  const path = (): Path | undefined => (state === 'read by SQL' ? 'sql' : undefined)
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4, path })
  for (const { name, mapping, documents } of indices) {
    await engine.createIndex(name, mapping)
    const half = state === 'sealed, the second half later' ? Math.ceil(documents.length / 2) : documents.length
    await write(engine, name, documents.slice(0, half))
    if (state === 'sealed' || half < documents.length) await engine.arrange(name)
    await write(engine, name, documents.slice(half))
  }
  const schema = schemaOf(await engine.indices('*'))
  const field = (path: string): Field => {
    const found = schema.lookup(path)
    if (!found) throw new Error(`no field ${path}`)
    return found
  }
  const close = async (): Promise<void> => {
    await engine.close()
    rmSync(directory, { recursive: true })
  }
  return { engine, field, close }
}

async function write(engine: Engine, index: string, documents: readonly JsonObject[]): Promise<void> {
  if (documents.length === 0) return
  const results = await engine.write(
    index,
    documents.map((source) => ({ kind: 'index', source })),
  )
  const refused = results.find((result) => !result.ok)
  if (refused) throw new Error(JSON.stringify(refused))
}

/** The values a document has for a key: one, several or none. */
export function listOf(value: Json | undefined): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((v) => v !== null && v !== undefined)
}
