import type { FoundDocument } from '../../engine/engine.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { removeAt, sourcePath } from '../../model/source-path.ts'
import type { ResolvedHits } from '../../query/aggregation/resolved-aggregation.ts'
import { type ProjectionPlan, projectDocument } from '../../query/page/projection.ts'
import { projectionRoot } from '../../query/page/projection-node.ts'
import { type CollectionView, mandatoryPaths } from '../../query/schema/collection-view.ts'
import { fieldPatterns } from '../../query/schema/field-pattern.ts'

type HitsWriter = (documents: readonly FoundDocument[]) => JsonObject[]

/**
 * Returns a writer for the documents fetched for a bucket, in nested form: the named fields, or all, without
 * exclude_fields (spec 2.13) and without the paths of `without`.
 */
export function hitsWriter(
  { include }: ResolvedHits,
  collection: CollectionView,
  without: readonly string[] = [],
): HitsWriter {
  const plan = hitsProjection(include, collection)
  const paths = without.map(sourcePath)
  return (documents) =>
    documents.map(({ source }) => paths.reduce((rest, path) => removeAt(rest, path), projectDocument(source, plan)))
}

function hitsProjection(include: readonly string[] | undefined, collection: CollectionView): ProjectionPlan {
  const { schema, hidden } = collection
  const root = projectionRoot({
    ...(include === undefined ? {} : { include: fieldPatterns(include) }),
    // Only whole documents always keep the paths of the collection.
    kept: fieldPatterns(include === undefined ? mandatoryPaths(collection) : []),
    cut: hidden.patterns.length === 0 ? [] : [hidden],
    isLeaf: (path) => {
      const type = schema.lookup(path)?.type
      return type !== undefined && type !== 'OBJECT' && type !== 'NESTED'
    },
  })
  return { dropsEmpty: include !== undefined, root }
}
