import { join } from 'node:path'
import { OPENSEARCH } from '../distribution.ts'
import type { Launch, Purpose, ServerCommand } from '../server-command.ts'

/** Replaces the agent that sandboxes plugins: none are installed, and it rewrites every loaded class. */
const UNCONFINED = `-Xbootclasspath/a:agent/opensearch-agent-bootstrap-${OPENSEARCH.version}.jar`

/** For testing: light compilation and one collector thread, which halves the processor time of a short run. */
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

/** Properties set by the start script of OpenSearch, which starts four JVMs to determine them. */
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
    // a node without memory must exit instead of hanging
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
