import { type EngineUnderTest, engines } from '../support/engines.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { collections, documents, mapping, toBulk } from './dataset.ts'
import { loadSample } from './fixtures.ts'

/** A storage layout of the sample data set. All examples have the same results on each layout (spec 6.5). */
interface SampleLayout {
  readonly name: string
  readonly engine: EngineUnderTest
  readonly available: boolean
  readonly indexName: string
  /** Names of the tag fields in the description of the collection. */
  readonly tagFields: readonly string[]
  readonly load: (base: string) => Promise<void>
}

async function loadInTwoIndices(base: string): Promise<void> {
  const { tags, ...params } = mapping.properties.params.properties
  const alternative = {
    ...mapping,
    properties: { ...mapping.properties, params: { properties: { ...params, keywords: tags } } },
  }
  const longitude = (d: { geo_params: { centroid: string } }): number => Number(d.geo_params.centroid.split(',')[1])
  const all = documents()
  await createIndex(base, 'dataset_original', mapping, toBulk(all.filter((d) => longitude(d) <= 0)))
  await createIndex(base, 'dataset_alt', alternative, toBulk(all.filter((d) => longitude(d) > 0)))
  for (const [name, body] of Object.entries(collections)) {
    await putCollection(base, name, { ...body, index_name: 'dataset_*' })
  }
}

export const sampleLayouts: readonly SampleLayout[] = engines.flatMap((engine) => [
  {
    name: `one index on the ${engine.name} engine`,
    engine,
    available: engine.available,
    indexName: 'dataset',
    tagFields: ['tags'],
    load: loadSample,
  },
  {
    name: `two indices on the ${engine.name} engine`,
    engine,
    available: engine.available,
    indexName: 'dataset_*',
    tagFields: ['tags', 'keywords'],
    load: loadInTwoIndices,
  },
])
