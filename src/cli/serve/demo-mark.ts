import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type ClusterClient, ClusterRefusal, type WireObject } from '../../cluster-client/cluster-client.ts'
import { engineProblem } from '../../cluster-client/cluster-problem.ts'

/** Records that the sample data was loaded once, so that it is not loaded again after it was deleted. */
export interface DemoMark {
  isSet(): Promise<boolean>
  set(): Promise<void>
}

export function fileDemoMark(directory: string): DemoMark {
  const file = path.join(directory, 'demo-loaded')
  return {
    isSet: async () => existsSync(file),
    set: async () => writeFileSync(file, 'loaded\n'),
  }
}

const KEY = 'periplus_demo_loaded'

type Mappings = Readonly<Record<string, { readonly mappings?: { readonly _meta?: WireObject } }>>

/** Stored in the `_meta` of the mapping of the index of references, which exists once a collection was created. */
export function clusterDemoMark(client: ClusterClient, index: string): DemoMark {
  const mappingPath = `/${encodeURIComponent(index)}/_mapping`
  const readNotes = async (): Promise<WireObject> => {
    try {
      const answer = await client.send<Mappings>({ method: 'GET', path: mappingPath })
      return Object.values(answer)[0]?.mappings?._meta ?? {}
    } catch (error) {
      if (error instanceof ClusterRefusal && error.status === 404) return {}
      throw engineProblem(error)
    }
  }
  return {
    isSet: async () => (await readNotes())[KEY] === true,
    set: async () => {
      const body = { _meta: { ...(await readNotes()), [KEY]: true } }
      await client.send({ method: 'PUT', path: mappingPath, body })
    },
  }
}
