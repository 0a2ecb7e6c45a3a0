import { Command, InvalidArgumentError, Option } from 'commander'
import { milliseconds } from '../../config/duration.ts'
import { inputFormats, isDataFile } from '../../ingest/read/shared/input-format.ts'
import { connect } from '../client/connect.ts'
import type { FollowOptions } from '../load/follow.ts'
import type { CommandOptions } from '../load/load.ts'
import { CliFault, exitCodes } from '../terminal/cli-fault.ts'
import { interruptible } from '../terminal/interruption.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Files: paths, folders, patterns such as "data/*.csv", zip archives, http and https URLs, and - for standard input.
Formats:
  NDJSON, JSON      one JSON object per line, or an array of objects
  GeoJSON           a FeatureCollection, or one feature per line; TopoJSON
  CSV, TSV          with a header line, separated by , ; tab or |
  Parquet, Arrow    also GeoParquet and Feather
  Shapefile         zipped, or the .shp file beside its parts
  GeoPackage, FlatGeobuf, KML, KMZ, GPX, Excel (.xlsx)
  Text may be compressed with gzip or zstd.

Without options, the index and the collection are named after the file, and the identifier, the place and the time of
the documents are found in the file. What was assumed is printed. Use --dry-run to see it without loading.

Exit codes: 0 all documents loaded, 1 failure, 2 invalid arguments, 3 loaded except for rejected documents.

Examples:
  $ periplus load airports.csv
  $ periplus load roads.zip --crs EPSG:27700 --replace
  $ periplus load trips.csv.gz --index trips --collection trips --id-path trip_id --timestamp-path start
  $ periplus load world.geojson --dry-run > mapping.json
  $ periplus load world.geojson --mapping mapping.json
  $ periplus load events.ndjson --follow
  $ periplus load https://example.org/events.csv --follow --interval 1m
  $ periplus load kafka://localhost:9092/events --follow
  $ zcat events.ndjson.gz | periplus load - --index events --url http://localhost:9999`

/** Bytes an archive may unpack to. */
const MOST_UNPACKED = 100 * 1024 ** 3

const SHORTEST_INTERVAL_MS = 100
const LONGEST_INTERVAL_MS = milliseconds('1d')

export function loadCommand(): Command {
  const command = new Command('load')
    .description('load files and show them as a collection')
    .argument('<files...>', 'files, folders, patterns or URLs, or - for standard input')
    .option('--index <name>', 'index to load into; added to if it exists (default: named after the file)')
    .option('--collection <name>', 'register the index as this collection (default: named after the file)')
    .option('--no-collection', 'load into the index only')
    .option('--replace', 'replace the index if it exists')
    .option('--append', 'add to the index if it exists')
    .option('--id-path <path>', 'field that identifies a document')
    .option('--geometry-path <path>', 'field with the geometry')
    .option('--centroid-path <path>', 'field with the centroid of the geometry')
    .option('--timestamp-path <path>', 'field with the timestamp')
    .option('--mapping <file>', 'JSON file with the mapping of a new index (default: inferred from the documents)')
    .addOption(new Option('--format <format>', 'input format (default: detected)').choices(inputFormats))
    .option('--delimiter <character>', 'column delimiter of a CSV file')
    .option('--header', 'the first line of a CSV file has the names of the columns (default: detected)')
    .option('--no-header', 'the first line of a CSV file is data')
    .option('--encoding <name>', 'character encoding of a CSV file or shapefile (default: detected)')
    .option('--layer <name>', 'layer, table or sheet of a file that has several (default: the first)')
    .option('--crs <name>', 'coordinate system, such as EPSG:27700 (default: as stated by the file, else degrees)')
    .option('--lon <field>', 'field or column with the longitude or easting')
    .option('--lat <field>', 'field or column with the latitude or northing')
    .addOption(
      new Option('--date-order <order>', 'order of dates such as 05/06/1992').choices(['day-first', 'month-first']),
    )
    .option('--row-id <field>', 'add a field with the number of the row, which identifies the document')
    .option('--rejects <file>', 'file for rejected documents (default: <file>.rejects.ndjson)')
    .option(
      '--follow',
      'go on with what is appended to a file or URL (NDJSON, CSV, TSV), or arrives on standard input or in a Kafka topic',
    )
    .option('--position <file>', 'file that keeps how far a followed source was read (default: <file>.position.json)')
    .addOption(
      new Option(
        '--interval <duration>',
        'time between looks at a followed source (default: 200ms, URLs 10s)',
      ).argParser(parseInterval),
    )
    .option('--dry-run', 'print the mapping and what was assumed, without loading')
    .addHelpText('after', HELP)
  return addTargetOptions(command).action(async (names: readonly string[], options: FollowOptions) => {
    checkOptions(options)
    if (options.follow === true) {
      await followOne(names, options)
      return
    }
    const topic = names.find((name) => /^kafka:/i.test(name))
    if (topic !== undefined) throw new CliFault(`${topic} is a Kafka topic: add --follow.`, exitCodes.usage)
    const settings = settingsOf({ ...options })
    const [{ load }, { openSources }, { downloader }] = await Promise.all([
      import('../load/load.ts'),
      import('../../ingest/source/open-sources.ts'),
      import('../load/download-source.ts'),
    ])
    const fetchFile = downloader(settings)
    const sources = await openSources(names, { fetchFile, isData: isDataFile, mostUnpacked: MOST_UNPACKED })
    try {
      const connection = await connect(settings, options.url)
      try {
        process.exitCode = await load(connection, sources, options, settings.server.port)
      } finally {
        await connection.close()
      }
    } finally {
      sources.close()
    }
  })
}

/** Follows until a signal arrives: what was read then is written before the command ends. */
async function followOne(names: readonly string[], options: FollowOptions): Promise<void> {
  const [name = '-', ...others] = names
  if (others.length > 0 || options.dryRun === true)
    throw new CliFault(
      '--follow needs one file, URL, Kafka topic, or - for standard input, and cannot be a dry run.',
      exitCodes.usage,
    )
  const settings = settingsOf({ ...options })
  const { follow } = await import('../load/follow.ts')
  const connection = await connect(settings, options.url)
  try {
    process.exitCode = await interruptible((signal) => follow(connection, name, options, settings, signal))
  } finally {
    await connection.close()
  }
}

function parseInterval(text: string): number {
  const interval = milliseconds(text)
  if (interval >= SHORTEST_INTERVAL_MS && interval <= LONGEST_INTERVAL_MS) return interval
  throw new InvalidArgumentError('Use a duration such as 500ms, 30s or 5m, at least 100ms and at most 1d.')
}

function checkOptions({ replace, append, lon, lat }: CommandOptions): void {
  if (replace === true && append === true)
    throw new CliFault('Specify --replace or --append, not both.', exitCodes.usage)
  if ((lon === undefined) !== (lat === undefined)) throw new CliFault('Specify both --lon and --lat.', exitCodes.usage)
}
