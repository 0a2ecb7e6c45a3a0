import { Command, Option } from 'commander'
import { inputFormats } from '../../ingest/input-format.ts'
import { connect } from '../client/connect.ts'
import type { LoadOptions } from '../load/load.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Documents:
  NDJSON            one JSON object per line
  GeoJSON           a FeatureCollection, or one feature per line (geojsonl); each feature becomes a document with its
                    properties, "geometry", its "id", and a "centroid" if it has none
  JSON              an array of objects or features
  CSV, TSV          with a header line; columns named lon/lng/longitude/x and lat/latitude/y become a "centroid"
  Parquet           also GeoParquet; geometry columns become GeoJSON
  All formats except Parquet may be compressed with gzip.

The mapping (the types of the fields) is inferred from the first documents and printed. To change it, save it, edit it
and pass it with --mapping. A document replaces an existing document with the same identifier.

Exit codes: 0 all documents loaded, 1 failure, 2 invalid arguments, 3 loaded except for rejected documents.

Examples:
  $ periplus load trips.csv.gz --index trips --collection trips --id-path trip_id --timestamp-path start
  $ periplus load world.geojson --index world --dry-run > mapping.json
  $ periplus load world.geojson --index world --mapping mapping.json
  $ zcat events.ndjson.gz | periplus load - --index events --url http://localhost:9999`

export function loadCommand(): Command {
  const command = new Command('load')
    .description('load a file into an index, and optionally register it as a collection')
    .argument('<file>', 'input file, or - for standard input')
    .requiredOption('--index <name>', 'index to load into; created if it does not exist')
    .option('--collection <name>', 'register the index as this collection after loading')
    .option('--id-path <path>', 'field that identifies a document')
    .option('--geometry-path <path>', 'field with the geometry')
    .option('--centroid-path <path>', 'field with the centroid of the geometry')
    .option('--timestamp-path <path>', 'field with the timestamp')
    .option('--mapping <file>', 'JSON file with the mapping of a new index (default: inferred from the documents)')
    .addOption(
      new Option('--format <format>', 'input format (default: detected from the file name)').choices(inputFormats),
    )
    .option('--delimiter <character>', 'column delimiter of a CSV file')
    .option('--lon <field>', 'field or column with the longitude')
    .option('--lat <field>', 'field or column with the latitude')
    .option('--row-id <field>', 'add a field with the line number, for files without an identifier')
    .option('--rejects <file>', 'file for rejected documents (default: <file>.rejects.ndjson)')
    .option('--dry-run', 'print the mapping and the paths without loading')
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
