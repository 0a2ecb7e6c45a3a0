import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MissingTool, requireTool } from './tools/missing-tool.ts'

const run = promisify(execFile)

const CACHE = fileURLToPath(new URL('../.cache', import.meta.url))
const FETCHED_WITHIN_MS = 15 * 60_000

/** A server distribution on Maven Central. */
export interface Distribution {
  readonly family: 'opensearch' | 'elasticsearch'
  /** Name in messages: `OpenSearch 3.5.0`. */
  readonly label: string
  readonly version: string
  readonly megabytes: number
  readonly oldestJava: number
  /** Unused modules, left out to start faster. */
  readonly leftOut: readonly string[]
}

export const OPENSEARCH: Distribution = {
  family: 'opensearch',
  label: 'OpenSearch 3.5.0',
  version: '3.5.0',
  megabytes: 194,
  oldestJava: 21,
  leftOut: [
    'cache-common',
    'ingest-common',
    'ingest-geoip',
    'ingest-user-agent',
    'lang-mustache',
    'opensearch-dashboards',
    'rank-eval',
    'repository-url',
    'rule-framework',
    'search-pipeline-common',
    'store-subdirectory',
    'transport-grpc',
  ],
}

/** Published without most modules: it supports neither shapes nor scripts, and does not answer `/`. */
export const ELASTICSEARCH: Distribution = {
  family: 'elasticsearch',
  label: 'Elasticsearch 8.19.21',
  version: '8.19.21',
  megabytes: 107,
  oldestJava: 17,
  leftOut: [],
}

/**
 * Returns the directory of the unpacked distribution; downloads and unpacks it once. Unpacks under a temporary name and
 * renames it, so that the directory is always complete, even with concurrent installs.
 */
export async function install(distribution: Distribution, say: (line: string) => void): Promise<string> {
  const folder = join(CACHE, distribution.family)
  const home = join(folder, distribution.version)
  if (await exists(home)) return home
  await requireTool('unzip', `to unpack ${distribution.label}`, 'apt install unzip')
  await mkdir(folder, { recursive: true })
  const work = await mkdtemp(join(folder, 'part-'))
  try {
    const zip = await fetchZip(distribution, folder, work, say)
    const excluded = distribution.leftOut.map((module) => `*/modules/${module}/*`)
    await run('unzip', ['-q', zip, '-d', work, ...(excluded.length === 0 ? [] : ['-x', ...excluded])])
    const unpacked = join(work, `${distribution.family}-${distribution.version}`)
    // if this user is root, another user runs it
    await run('chmod', ['-R', 'a+rX', unpacked])
    await renameUnlessThere(unpacked, home)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return home
}

async function fetchZip(
  { family, label, version, megabytes }: Distribution,
  folder: string,
  work: string,
  say: (line: string) => void,
): Promise<string> {
  const name = `${family}-${version}.zip`
  const zip = join(folder, name)
  if (await exists(zip)) return zip
  await requireTool('mvn', `to download ${label}`, 'apt install maven, or brew install maven')
  say(`Downloading ${label} from Maven Central (once, ${megabytes} MB)...`)
  const group = family === 'opensearch' ? 'org.opensearch' : 'org.elasticsearch'
  const artifact = `${group}.distribution.integ-test-zip:${family}:${version}:zip`
  const options = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`]
  await run('mvn', options, { cwd: work, timeout: FETCHED_WITHIN_MS }).catch((error: Error & { stdout?: string }) => {
    const why = error.stdout?.split('\n').find((line) => line.includes('ERROR')) ?? error.message
    throw new MissingTool(`${label} could not be downloaded from Maven Central: ${why.trim()}`)
  })
  await renameUnlessThere(join(work, name), zip)
  return zip
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
