import { join, resolve } from 'node:path'
import { readFlags, refuseTakenPort, runCommand, stopSignal, UsageFault, wholeNumber } from '../development-command.ts'
import { ELASTICSEARCH, OPENSEARCH } from '../distribution.ts'
import { type SearchCluster, startOpensearch, startOpensearchCluster } from './opensearch-node.ts'
import { type SearchNode, startNode } from './search-node.ts'

const HELP = `npm run cluster [-- OPTION...]

Starts ${OPENSEARCH.label} on this machine for development, downloaded once from Maven Central. Stop it with Ctrl-C.
Needs Java ${OPENSEARCH.oldestJava} or newer, Maven (mvn) and unzip.

  --port PORT      port of the first node (default 9200); 0: any free port
  --data DIR       data directory (default: temporary, deleted when the cluster stops)
  --nodes N        number of nodes (default 1)
  --heap MIB       heap of each node (default 1024)
  --elasticsearch  start ${ELASTICSEARCH.label} instead, without shapes and scripts
  --help

  npm run cluster
  npm run cluster -- --nodes 3 --heap 512 --data ./data/cluster
`

interface Options {
  readonly port: number
  readonly size: number
  readonly heapMiB: number
  readonly data?: string
  readonly elasticsearch: boolean
}

process.exitCode = await runCommand(main)

async function main(args: string[]): Promise<number> {
  const options = readOptions(args)
  if (options === undefined) {
    console.log(HELP)
    return 0
  }
  const stopped = stopSignal()
  const ports = Array.from({ length: options.size }, (_, i) => (options.port === 0 ? 0 : options.port + i))
  await Promise.all(ports.map(refuseTakenPort))
  const starting = start(options, ports)
  const first = await Promise.race([starting, stopped])
  if (first === undefined) {
    await starting.then((cluster) => cluster.stop())
    return 0
  }
  tell(options, first)
  const lost = Promise.race(first.nodes.map((node, i) => node.ended.then(() => `node-${i + 1}`)))
  const ending = await Promise.race([stopped, lost])
  await first.stop()
  if (ending === undefined) return 0
  console.error(`${ending} exited unexpectedly; the other nodes were stopped.`)
  return 1
}

function start({ size, heapMiB, data, elasticsearch }: Options, ports: readonly number[]): Promise<SearchCluster> {
  const say = (line: string): void => console.error(line)
  const family = elasticsearch ? ELASTICSEARCH : OPENSEARCH
  say(`Starting ${family.label}...`)
  const common = { heapMiB, say, purpose: 'developing' } as const
  const places = data === undefined ? [] : ports.map((_, i) => join(resolve(data), `${family.family}-${i + 1}`))
  if (size > 1) {
    return startOpensearchCluster({ ...common, size, ports, ...(data === undefined ? {} : { data: places }) })
  }
  const options = { ...common, port: ports[0] ?? 0, ...(places[0] === undefined ? {} : { data: places[0] }) }
  return (elasticsearch ? startNode(ELASTICSEARCH, options) : startOpensearch(options)).then(alone)
}

function alone(node: SearchNode): SearchCluster {
  return { nodes: [node], urls: [node.url], stop: node.stop }
}

function tell({ data, elasticsearch }: Options, { urls }: SearchCluster): void {
  const flags = urls.map((url) => `--cluster-url ${url}`).join(' ')
  console.log(`${elasticsearch ? ELASTICSEARCH.label : OPENSEARCH.label} is ready at ${urls.join(', ')}`)
  console.log(`Start Periplus on it with: npm start -- --engine cluster ${flags}`)
  console.log(
    data === undefined
      ? 'Stop it with Ctrl-C. Its data is then deleted (use --data DIR to keep it).'
      : `Stop it with Ctrl-C. Its data is kept in ${resolve(data)}.`,
  )
}

function readOptions(args: string[]): Options | undefined {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const help = { ...flag, short: 'h' } as const
  const known = { port: text, data: text, nodes: text, heap: text, elasticsearch: flag, help }
  const flags = readFlags('cluster', args, known)
  if (flags.help === true) return undefined
  const size = wholeNumber('--nodes', flags.nodes ?? '1', 1, 9)
  const elasticsearch = flags.elasticsearch === true
  if (elasticsearch && size > 1) throw new UsageFault('--nodes is for OpenSearch only')
  return {
    port: wholeNumber('--port', flags.port ?? '9200', 0, 65_535 - size),
    size,
    heapMiB: wholeNumber('--heap', flags.heap ?? '1024', 128, 31_744),
    ...(flags.data === undefined ? {} : { data: flags.data }),
    elasticsearch,
  }
}
