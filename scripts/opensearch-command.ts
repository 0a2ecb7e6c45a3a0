import { join } from 'node:path'
import { OPENSEARCH } from './distribution.ts'
import type { Launch, Purpose, ServerCommand } from './server-command.ts'

/** Instead of the agent that confines plugins: there are none, and it rewrites every class that is loaded. */
const UNCONFINED = `-Xbootclasspath/a:agent/opensearch-agent-bootstrap-${OPENSEARCH.version}.jar`

/** For testing: compiled a little and at once, one thread of the collector: half the processor time of a short life. */
const OPTIONS: Readonly<Record<Purpose, readonly string[]>> = {
  measuring: [
    '-XX:+UseG1GC',
    '-XX:G1ReservePercent=25',
    '-XX:InitiatingHeapOccupancyPercent=30',
    '-XX:+AlwaysPreTouch',
    '-javaagent:agent/opensearch-agent.jar',
    '--add-modules=jdk.incubator.vector',
  ],
  developing: ['-XX:+UseG1GC', UNCONFINED],
  testing: ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', UNCONFINED],
}

/** What the start script of OpenSearch would set; it needs four JVMs to find that out. */
const PROPERTIES = [
  'opensearch.networkaddress.cache.ttl=60',
  'opensearch.networkaddress.cache.negative.ttl=10',
  'java.awt.headless=true',
  'file.encoding=UTF-8',
  'jna.nosys=true',
  'io.netty.noUnsafe=true',
  'io.netty.noKeySetOptimization=true',
  'io.netty.recycler.maxCapacityPerThread=0',
  'io.netty.allocator.numDirectArenas=0',
  'log4j.shutdownHookEnabled=false',
  'log4j2.disable.jmx=true',
  'java.locale.providers=SPI,CLDR',
  'org.apache.lucene.store.MMapDirectory.sharedArenaMaxPermits=1',
  'opensearch.distribution.type=zip',
  'opensearch.bundled_jdk=false',
]

export function opensearchCommand({ home, java, work, heapMiB, purpose, jvmOptions }: Launch): ServerCommand {
  const paths = [`opensearch.path.home=${home}`, `opensearch.path.conf=${join(work, 'conf')}`]
  const command = [
    join(java, 'bin', 'java'),
    `-Xms${heapMiB}m`,
    `-Xmx${heapMiB}m`,
    `-XX:MaxDirectMemorySize=${Math.floor(heapMiB / 2)}m`,
    '-Xss1m',
    '-Xshare:auto',
    '-XX:-OmitStackTraceInFastThrow',
    // a node without memory must end rather than linger
    '-XX:+ExitOnOutOfMemoryError',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    ...OPTIONS[purpose],
    ...jvmOptions,
    ...[...PROPERTIES, `java.io.tmpdir=${join(work, 'tmp')}`, ...paths].map((property) => `-D${property}`),
    '-cp',
    join(home, 'lib', '*'),
    'org.opensearch.bootstrap.OpenSearch',
  ]
  return { command, cwd: home, env: {} }
}
