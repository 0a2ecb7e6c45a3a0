import { Command, Option } from 'commander'
import { inputFormats } from '../../ingest/input-format.ts'
import { connect } from '../client/connect.ts'
import type { LoadOptions } from '../load/load.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Documents:
  NDJSON            one JSON object per line
  GeoJSON           every feature is a document: its properties, "geometry", its "id", and a "centroid" when it has none;
                    a FeatureCollection, or one feature per line (geojsonl)
  JSON              an array of objects or features
  CSV, TSV          with a header line; columns named lon/lng/longitude/x and lat/latitude/y become a "centroid"
  Parquet           also GeoParquet; geometry columns become GeoJSON
  Any of them may be packed with gzip (not Parquet).

The mapping (the types of the fields) is told from the first documents and printed: save it, correct it, and give it
with --mapping. A document whose identifier is in the index already replaces the one that is there.

Exit codes: 0 all loaded, 1 failed, 2 wrongly called, 3 loaded except for rejected documents.

Examples:
  $ periplus load trips.csv.gz --index trips --collection trips --id-path trip_id --timestamp-path start
  $ periplus load world.geojson --index world --dry-run > mapping.json
  $ periplus load world.geojson --index world --mapping mapping.json
  $ zcat events.ndjson.gz | periplus load - --index events --url http://localhost:9999`

export function loadCommand(): Command {
  const command = new Command('load')
    .description('load a file into an index, and register it as a collection')
    .argument('<file>', 'the file, or - for standard input')
    .requiredOption('--index <name>', 'index to load into; made when it does not exist')
    .option('--collection <name>', 'register the index as this collection when it is loaded')
    .option('--id-path <path>', 'field that identifies a document')
    .option('--geometry-path <path>', 'field with the geometry')
    .option('--centroid-path <path>', 'field with the point that stands for it')
    .option('--timestamp-path <path>', 'field with the date')
    .option('--mapping <file>', 'mapping of a new index, as JSON; told from the documents when not given')
    .addOption(new Option('--format <format>', 'kind of the file, when its name does not tell').choices(inputFormats))
    .option('--delimiter <character>', 'what stands between the cells of a CSV file')
    .option('--lon <field>', 'field or column with the longitude')
    .option('--lat <field>', 'field or column with the latitude')
    .option('--row-id <field>', 'add a field with the number of the line, for files without an identifier')
    .option('--rejects <file>', 'where rejected documents go (default: <file>.rejects.ndjson)')
    .option('--dry-run', 'print the mapping and the paths, load nothing')
    .addHelpText('after', HELP)
  return addTargetOptions(command).action(async (file: string, options: LoadOptions) => {
    const settings = settingsOf({ ...options })
    const [{ load }, { openInput }] = await Promise.all([
      import('../load/load.ts'),
      import('../../ingest/open-input.ts'),
    ])
    const input = await openInput(file)
    const connection = await connect(settings, options.url)
    try {
      process.exitCode = await load(connection, input, options)
    } finally {
      input.close()
      await connection.close()
    }
  })
}
