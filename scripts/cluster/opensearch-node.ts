import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { install, OPENSEARCH } from '../distribution.ts'
import { archiveOptions } from '../tools/class-archive.ts'
import { findJava } from '../tools/java-home.ts'
import { launchNode, type NodeOptions, type SearchNode, startNode, waitForHealth } from './search-node.ts'

/** Several nodes that form one cluster. */
export interface SearchCluster {
  readonly nodes: readonly SearchNode[]
  readonly urls: readonly string[]
  readonly stop: () => Promise<void>
}

type OpensearchOptions = Pick<NodeOptions, 'heapMiB' | 'port' | 'data' | 'purpose' | 'say'>

/** Downloads (once) and starts a single OpenSearch node on loopback. */
export async function startOpensearch(options: OpensearchOptions = {}): Promise<SearchNode> {
  return startNode(OPENSEARCH, { ...options, jvmOptions: await classOptions(options) })
}

interface ClusterOptions extends Omit<OpensearchOptions, 'port' | 'data'> {
  readonly size: number
  /** One per node; free ports by default. */
  readonly ports?: readonly number[]
  /** One per node. */
  readonly data?: readonly string[]
}

/** Starts nodes that form one cluster, on loopback. */
export async function startOpensearchCluster({
  size,
  ports,
  data,
  ...options
}: ClusterOptions): Promise<SearchCluster> {
  const names = Array.from({ length: size }, (_, i) => `node-${i + 1}`)
  const settings = { 'discovery.seed_providers': ['file'], 'cluster.initial_cluster_manager_nodes': names }
  const jvmOptions = await classOptions(options)
  const launched = await Promise.all(
    names.map((name, i) => {
      const own = {
        ...(ports?.[i] === undefined ? {} : { port: ports[i] }),
        ...(data?.[i] === undefined ? {} : { data: data[i] }),
      }
      return launchNode(OPENSEARCH, { ...options, ...own, name, settings, jvmOptions })
    }),
  )
  const stop = async (): Promise<void> => void (await Promise.all(launched.map((node) => node.stop())))
  try {
    const seeds = (await Promise.all(launched.map((node) => node.address('transport')))).join('\n')
    await Promise.all(launched.map(({ work }) => writeFile(join(work, 'conf', 'unicast_hosts.txt'), seeds)))
    const urls = await Promise.all(launched.map(async (node) => `http://${await node.address('http')}`))
    await Promise.all(urls.map((url) => waitForHealth(url, `wait_for_nodes=${size}&wait_for_status=yellow`)))
    return { nodes: launched.map((node, i) => ({ ...node, url: urls[i] ?? '' })), urls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function classOptions({ purpose, say = () => undefined }: OpensearchOptions): Promise<readonly string[]> {
  if (purpose === undefined || purpose === 'measuring') return []
  const { label, oldestJava } = OPENSEARCH
  const home = await install(OPENSEARCH, say)
  const { build: javaBuild } = await findJava(oldestJava, label)
  const start = (jvmOptions: readonly string[]): Promise<SearchNode> =>
    startNode(OPENSEARCH, { heapMiB: 512, purpose: 'testing', jvmOptions })
  return archiveOptions({ label, home, javaBuild, start }, say)
}
