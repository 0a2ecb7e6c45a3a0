import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ELASTICSEARCH, OPENSEARCH } from './distribution.ts'
import { MissingTool } from './missing-tool.ts'
import { type SearchCluster, startOpensearch, startOpensearchCluster } from './opensearch-node.ts'
import { type SearchNode, startNode } from './search-node.ts'

const HELP = `npm run cluster [-- OPTION...]

Starts ${OPENSEARCH.label} on this machine for development, fetched once from Maven Central; Ctrl-C ends it.
Needs Java ${OPENSEARCH.oldestJava} or newer, Maven (mvn) and unzip.

  --port PORT      of the first node (9200); 0: any free one
  --data DIR       keep the data there; without it, it goes when the cluster ends
  --nodes N        so many nodes that form one cluster (1)
  --heap MIB       memory of each node (1024)
  --elasticsearch  ${ELASTICSEARCH.label} instead, without shapes and scripts: for points only
  --help

  npm run cluster
  npm run cluster -- --nodes 3 --heap 512 --data ./data/cluster
`

/** A mistake of whoever called; told without a stack. */
class UsageFault extends Error {}

interface Options {
  readonly port: number
  readonly size: number
  readonly heapMiB: number
  readonly data?: string
  readonly elasticsearch: boolean
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof MissingTool || error instanceof UsageFault)) throw error
  console.error(error.message)
  return 1
})

async function main(args: readonly string[]): Promise<number> {
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
  console.error(`${ending} ended by itself; the others were ended too.`)
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
  console.log(`${elasticsearch ? ELASTICSEARCH.label : OPENSEARCH.label} answers at ${urls.join(', ')}`)
  console.log(`Periplus on it: npm start -- --engine cluster ${flags}`)
  console.log(
    data === undefined
      ? 'Ctrl-C ends it, and its data goes with it (--data DIR keeps them).'
      : `Ctrl-C ends it; its data stay in ${resolve(data)}.`,
  )
}

/** Resolves, to nothing, when this process is asked to end. */
function stopSignal(): Promise<undefined> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(undefined))
  })
}

function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parsed(args)
  if (values.help === true) return undefined
  const size = wholeNumber('--nodes', values.nodes ?? '1', 1, 9)
  const elasticsearch = values.elasticsearch === true
  if (elasticsearch && size > 1) throw new UsageFault('--nodes is for OpenSearch only')
  return {
    port: wholeNumber('--port', values.port ?? '9200', 0, 65_535 - size),
    size,
    heapMiB: wholeNumber('--heap', values.heap ?? '1024', 128, 31_744),
    ...(values.data === undefined ? {} : { data: values.data }),
    elasticsearch,
  }
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = {
      port: text,
      data: text,
      nodes: text,
      heap: text,
      elasticsearch: flag,
      help: { ...flag, short: 'h' },
    }
    return parseArgs({ args: [...args], options })
  } catch (error) {
    throw new UsageFault(`${error instanceof Error ? error.message : String(error)}\nSee npm run cluster -- --help`)
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UsageFault(`${option} must be a whole number from ${least} to ${most}, got '${text}'`)
}

async function refuseTakenPort(port: number): Promise<void> {
  const taken = await new Promise<boolean>((told) => {
    const probe = createServer()
    probe.once('error', () => told(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => told(false)))
  })
  if (taken) throw new UsageFault(`Port ${port} cannot be used: it is taken. Choose another with --port.`)
}
