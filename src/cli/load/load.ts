import { type Coordinates, findCoordinates } from '../../ingest/coordinates.ts'
import { type CollectionPaths, guessPaths } from '../../ingest/guess-paths.ts'
import { detectFormat, type InputFormat, inputFormats } from '../../ingest/input-format.ts'
import type { Input } from '../../ingest/open-input.ts'
import { readDocuments } from '../../ingest/read-documents.ts'
import { withMostlyDates } from '../../mapping/date-fields.ts'
import { inferMapping } from '../../mapping/infer-mapping.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { ask, type Connection } from '../client/connection.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { Progress, printCount, printDocuments } from '../terminal/progress.ts'
import { chooseMapping, type LoadMapping } from './load-mapping.ts'
import { type LoadPlan, loadRows, shapeDocument } from './load-rows.ts'
import { type Sample, takeSample } from './load-sample.ts'
import { defaultRejectFile, RejectFile } from './reject-file.ts'

export interface LoadOptions {
  readonly index: string
  readonly collection?: string
  readonly idPath?: string
  readonly geometryPath?: string
  readonly centroidPath?: string
  readonly timestampPath?: string
  readonly mapping?: string
  readonly format?: InputFormat
  readonly delimiter?: string
  readonly lon?: string
  readonly lat?: string
  readonly rowId?: string
  readonly rejects?: string
  readonly dryRun?: boolean
  readonly url?: string
}

/** Loads an input into an index and registers the collection if requested. Returns the exit code. */
export async function load(connection: Connection, input: Input, options: LoadOptions): Promise<number> {
  const format = options.format ?? detectFormat(input.name, input.head)
  if (format === undefined) {
    throw new CliFault(
      `The format of ${input.name} cannot be detected: specify it with --format (${inputFormats.join(', ')}).`,
    )
  }
  say(`Reading ${input.name === '-' ? 'standard input' : input.name} as ${format}.`)
  const { delimiter } = options
  const raw = await takeSample(readDocuments(input, format, delimiter === undefined ? {} : { delimiter }))
  if (raw.documents.length === 0) await refuseEmpty(raw, input)
  const chosen = await chooseMapping(connection, options.index, options.mapping, raw.documents)
  const coordinates = chooseCoordinates(options, chosen, raw.documents)
  const { rowId } = options
  const shape = { ...(rowId === undefined ? {} : { rowId }), ...(coordinates === undefined ? {} : { coordinates }) }
  const documents = raw.documents.map((document, i) => shapeDocument({ line: i + 1, document }, shape))
  const sample = documents.filter((document): document is JsonObject => typeof document !== 'string')
  // the mapping has to include the added fields
  const inferred = withMostlyDates(inferMapping(sample), sample, options.timestampPath)
  const mapping = chosen.origin === 'sample' ? { ...chosen, mapping: inferred } : chosen
  reportMapping(mapping, options)
  const paths = choosePaths(options, guessPaths(mapping.mapping, sample))
  if (options.dryRun === true) return exitCodes.done
  if (mapping.origin !== 'index') {
    await ask(connection, 'PUT', `/index/${encodeURIComponent(options.index)}`, { mappings: mapping.mapping })
  }
  const plan: LoadPlan = { index: options.index, ...shape, ...(paths.id === undefined ? {} : { idPath: paths.id }) }
  const rejected = await pump(connection, input, raw, plan, options)
  await register(connection, options, paths)
  return rejected > 0 ? exitCodes.rejected : exitCodes.done
}

/** Throws for a file without any valid document, with the reason of the first row. */
async function refuseEmpty(sample: Sample, input: Input): Promise<never> {
  for await (const rows of sample.rows) {
    const [first] = rows
    if (first !== undefined && 'reason' in first) {
      throw new CliFault(
        `${input.name} contains no valid document: line ${first.line} ${first.reason}; check --format.`,
      )
    }
  }
  throw new CliFault(`${input.name} is empty.`)
}

function chooseCoordinates(
  { lon, lat }: LoadOptions,
  { mapping, origin }: LoadMapping,
  sample: readonly JsonObject[],
): Coordinates | undefined {
  if (lon === undefined && lat === undefined) {
    const wanted = origin === 'sample' || mapping.properties.centroid?.type === 'geo_point'
    const found = wanted ? findCoordinates(inferMapping(sample), sample) : undefined
    if (found !== undefined) say(`Detected: ${found.lon} and ${found.lat} are the coordinates of "centroid".`)
    return found
  }
  if (lon === undefined || lat === undefined) throw new CliFault('Specify both --lon and --lat.', exitCodes.usage)
  for (const field of [lon, lat]) {
    if (sample.some((document) => Object.hasOwn(document, field))) continue
    const names = [...new Set(sample.flatMap((document) => Object.keys(document)))]
    throw new CliFault(`Field ${field} does not exist: the documents have ${names.join(', ')}.`)
  }
  return { lon, lat }
}

function reportMapping({ mapping, origin, notes }: LoadMapping, { index, dryRun }: LoadOptions): void {
  if (origin === 'index') say(`Index ${index} exists: documents are added with its mapping.`)
  if (origin === 'sample') {
    say('Mapping inferred from the first documents (if it is wrong, save it, correct it and pass it with --mapping):')
  }
  for (const note of notes) say(`Note: ${note}.`)
  if (origin === 'sample' || dryRun === true) console.log(JSON.stringify(mapping, null, 2))
}

function choosePaths(options: LoadOptions, guessed: CollectionPaths): CollectionPaths {
  const given: CollectionPaths = {
    ...((options.idPath ?? options.rowId) === undefined ? {} : { id: options.idPath ?? options.rowId ?? '' }),
    ...(options.geometryPath === undefined ? {} : { geometry: options.geometryPath }),
    ...(options.centroidPath === undefined ? {} : { centroid: options.centroidPath }),
    ...(options.timestampPath === undefined ? {} : { timestamp: options.timestampPath }),
  }
  const guesses = Object.entries(guessed).filter(([name]) => !Object.hasOwn(given, name))
  if (guesses.length > 0) say(`Detected: ${guesses.map(([name, path]) => `${name} path ${path}`).join(', ')}.`)
  const paths = { ...guessed, ...given }
  const missing = (['id', 'geometry', 'centroid', 'timestamp'] as const).filter((name) => paths[name] === undefined)
  if (options.collection !== undefined && missing.length > 0) {
    const flags = missing.map((name) => `--${name}-path`)
    const numbered = missing.includes('id') ? ['--row-id id, to number the rows'] : []
    const placed = missing.includes('centroid') ? ['--lon and --lat, to specify two fields with coordinates'] : []
    const hint = [...numbered, ...placed].map((other) => ` (or ${other})`).join('')
    throw new CliFault(
      `A collection needs ${flags.join(', ')}${hint}: no suitable field was detected.`,
      exitCodes.usage,
    )
  }
  return paths
}

/** Minimum documents of a load to announce the compaction; smaller loads are compacted almost at once. */
const LARGE_LOAD = 100_000

async function pump(
  connection: Connection,
  input: Input,
  { rows }: Sample,
  plan: LoadPlan,
  options: LoadOptions,
): Promise<number> {
  const rejects = new RejectFile(options.rejects ?? defaultRejectFile(input.name))
  const progress = new Progress(process.stderr, input.size)
  let loaded = 0
  try {
    const { created, replaced } = await loadRows(connection, rows, plan, rejects, (advance) => {
      loaded = advance.documents
      progress.update({ ...advance, bytes: input.bytesRead() })
    })
    const { seconds } = progress
    progress.clear()
    if (created + replaced >= LARGE_LOAD) say('Compacting the storage (searches are possible meanwhile) ...')
    await connection.settle(plan.index)
    const speed = printCount((created + replaced) / Math.max(seconds, 0.001))
    const again = replaced > 0 ? ` (${printCount(replaced)} of them replaced existing documents)` : ''
    const what = `${printDocuments(created + replaced)}${again}`
    say(`Loaded ${what} into index ${plan.index} in ${seconds.toFixed(1)} s, ${speed}/s (${connection.where}).`)
    if (rejects.count > 0) {
      say(`Rejected ${printDocuments(rejects.count)}: see ${rejects.path} for the reasons.`)
    }
    return rejects.count
  } catch (error) {
    progress.clear()
    if (loaded > 0) say(describeStop(loaded, plan))
    throw error
  } finally {
    progress.clear()
    rejects.close()
  }
}

/** Describes the state after a failed load, and how to continue. */
function describeStop(loaded: number, { index, idPath }: LoadPlan): string {
  const next =
    idPath === undefined
      ? `drop it ("periplus index drop ${index}") before you load again, otherwise the documents are duplicated`
      : 'fix the cause and load again; existing documents are replaced'
  return `Stopped after ${printDocuments(loaded)} were written to index ${index}: ${next}.`
}

async function register(connection: Connection, options: LoadOptions, paths: CollectionPaths): Promise<void> {
  const { collection, index } = options
  if (collection === undefined) {
    say(`To explore the index, register it: periplus collections put NAME --index ${index} --id-path ... (see --help).`)
    return
  }
  await ask(connection, 'PUT', `/collections/${encodeURIComponent(collection)}`, {
    index_name: index,
    id_path: paths.id,
    geometry_path: paths.geometry,
    centroid_path: paths.centroid,
    timestamp_path: paths.timestamp,
  })
  say(`Registered as collection ${collection}: GET /explore/${collection}/_search`)
}

/** Messages go to standard error, so that standard output contains only the mapping. */
function say(text: string): void {
  console.error(text)
}
