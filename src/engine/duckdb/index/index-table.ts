import type { Field } from '../../../query/schema/field.ts'
import type { IdentifierFile } from '../files/identifier-file.ts'
import type { SourceFile } from '../files/source-file.ts'
import type { IndexDefinition } from './index-definition.ts'
import type { IndexFiles } from './index-files.ts'
import { clusteringField, type FieldLayout } from './table-layout.ts'
import type { TermRanks } from './terms.ts'

/** An index as queries see it. Immutable: a write replaces it. */
export class IndexTable {
  readonly definition: IndexDefinition
  readonly terms: TermRanks
  readonly files: IndexFiles
  /** Name in SQL of what is scanned: the table, or a copy of it. Made by the engine, never by a caller. */
  readonly table: string
  readonly clusteringField: FieldLayout | undefined
  readonly #fields: ReadonlyMap<string, FieldLayout>

  constructor(definition: IndexDefinition, terms: TermRanks, files: IndexFiles, table = definition.table) {
    this.definition = definition
    this.table = table
    this.terms = terms
    this.files = files
    this.clusteringField = clusteringField(definition.layout)
    this.#fields = new Map(definition.layout.fields.map((f) => [f.path, f]))
  }

  get name(): string {
    return this.definition.name
  }

  get sources(): SourceFile {
    return this.files.sources
  }

  get identifiers(): IdentifierFile | undefined {
    return this.files.identifiers
  }

  /** Documents came since the storage was last put in order. */
  get hasTail(): boolean {
    return this.definition.arrangedSeq < this.definition.nextSeq
  }

  /** The copies and the files beside the sources are true of every document there is, and tell where its source lies. */
  get tellsPlaces(): boolean {
    const { tellsPlaces, documents, nextSeq } = this.definition
    return tellsPlaces === true && !this.hasTail && documents === nextSeq
  }

  /** The same seen through a copy of the table. */
  inCopy(copy: string): IndexTable {
    return new IndexTable(this.definition, this.terms, this.files, copy)
  }

  /** The same after a change that leaves its files where they are. */
  changed(definition: IndexDefinition, terms = this.terms): IndexTable {
    return new IndexTable(definition, terms, this.files)
  }

  get lookupTable(): string {
    return `${this.definition.table}_lookup`
  }

  /** Number of a path in the lookup table, or undefined when it is not there. */
  lookupNumber(path: string): number | undefined {
    const i = this.definition.lookups.indexOf(path)
    return i < 0 ? undefined : i
  }

  /** Where this index keeps the field; undefined when it lacks it or types it differently. */
  field(field: Pick<Field, 'path' | 'type'>): FieldLayout | undefined {
    const layout = this.#fields.get(field.path)
    return layout?.type === field.type ? layout : undefined
  }
}
