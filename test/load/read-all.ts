import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { RowLoader } from '../../src/ingest/load/load-rows.ts'
import type { OutgoingDocument, Reject } from '../../src/ingest/load/load-target.ts'
import { FileSet } from '../../src/ingest/plan/file-set.ts'
import type { LoadPlan, PlanOptions } from '../../src/ingest/plan/load-plan.ts'
import { makePlan } from '../../src/ingest/plan/make-plan.ts'
import { isDataFile } from '../../src/ingest/read/shared/input-format.ts'
import { openSources } from '../../src/ingest/source/open-sources.ts'
import type { JsonObject } from '../../src/model/json/document.ts'

/** The moment of loading in tests. */
export const NOW = Date.UTC(2026, 0, 1)

interface ReadFiles {
  readonly plan: LoadPlan
  readonly title: string
  readonly documents: readonly JsonObject[]
  /** Reasons of rejected rows, with their lines. */
  readonly rejected: readonly (readonly [number, string])[]
}

/** Plans a load of files as a collection, and returns the documents it would write. */
export async function readAll(names: readonly string[], options: PlanOptions = {}): Promise<ReadFiles> {
  const sources = await openSources(names, { isData: isDataFile, mostUnpacked: 1e9 })
  try {
    const files = new FileSet(sources.files, options)
    const plan = await makePlan(files, options, { isCollection: true, now: NOW })
    const documents: JsonObject[] = []
    const rejected: (readonly [number, string])[] = []
    const target = {
      write: async (_index: string, batch: readonly OutgoingDocument[]) => {
        documents.push(...batch.map(({ source }) => source))
        return batch.map(({ id = '' }) => ({ ok: true, id, result: 'created' }) as const)
      },
    }
    const report = {
      reject: (rows: readonly Reject[]) =>
        void rejected.push(...rows.map(({ line, reason }) => [line, reason] as const)),
      progress: () => undefined,
    }
    await new RowLoader(target, report, plan, { index: 'test', rowsBefore: 0 }).load(files)
    return { plan, title: sources.title, documents, rejected }
  } finally {
    sources.close()
  }
}

/** Path of a committed file. */
export const fileOf = (name: string): string => path.join(path.dirname(fileURLToPath(import.meta.url)), 'files', name)

/** West, south, east, north of the centroids, with three decimals. */
export function extentOf(documents: readonly { readonly centroid?: unknown }[]): readonly number[] {
  const points = documents.map(({ centroid }) => String(centroid).split(',').map(Number))
  const lats = points.map(([lat = Number.NaN]) => lat)
  const lons = points.map(([, lon = Number.NaN]) => lon)
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)].map(round)
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000
