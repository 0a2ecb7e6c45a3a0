import type { ClusterClient } from '../../../cluster-client/cluster-client.ts'
import { indexPath, LONGEST_PATH } from '../request/search-call.ts'

/** Shows searches what was written to these indices; one that is gone is passed over. */
export async function refreshIndices(client: ClusterClient, indices: readonly string[]): Promise<void> {
  const query = { ignore_unavailable: true, allow_no_indices: true }
  for (let from = 0, to = 0; from < indices.length; from = to) {
    // As many names as fit into a path.
    do to++
    while (to < indices.length && indexPath(indices.slice(from, to + 1)).length < LONGEST_PATH)
    const path = `${indexPath(indices.slice(from, to))}/_refresh`
    await client.send({ method: 'POST', path, query, repeatable: true })
  }
}
