import type { Mapping } from '../../model/mapping.ts'
import type { IndexInfo } from '../engine.ts'
import type { ClusterContext } from './cluster-context.ts'

/** The indices of the cluster and their mappings, read again when they may have changed. */
export class IndexCatalog {
  constructor(_context: ClusterContext) {}

  async indices(_pattern: string, _signal?: AbortSignal): Promise<readonly IndexInfo[]> {
    throw new Error('not written yet')
  }

  async documentCounts(_pattern: string, _signal?: AbortSignal): Promise<ReadonlyMap<string, number>> {
    throw new Error('not written yet')
  }

  async create(_name: string, _mapping: Mapping): Promise<void> {
    throw new Error('not written yet')
  }

  async drop(_name: string): Promise<void> {
    throw new Error('not written yet')
  }

  async extend(_name: string, _mapping: Mapping): Promise<void> {
    throw new Error('not written yet')
  }
}
