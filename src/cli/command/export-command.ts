import { Command, Option } from 'commander'
import { connect } from '../client/connect.ts'
import { type ExportOptions, exportCollection, outputFormats } from '../client/export.ts'
import { interruptible } from '../terminal/interruption.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Formats:
  geojsonl          one GeoJSON feature per line
  csv               one column per field; the geometry is the last column, as WKT
  geoparquet        GeoParquet 1.1, typed columns
  flatgeobuf        FlatGeobuf 3, typed columns
  shapefile         zip archive with one shapefile per geometry type
Documents without geometry are only written to csv and geoparquet.

Without --size all matching documents are written. The output file is replaced only when the export is complete: if the
export fails, no partial file remains and an existing file is kept.

Exit codes: 0 success, 1 failure, 2 invalid arguments.

Examples:
  $ periplus export earthquakes --output earthquakes.parquet
  $ periplus export earthquakes --format csv --f mag:gte:5 --f 'time:gte:now-1y' --include mag,place --sort -mag,id
  $ periplus export earthquakes --format geojsonl --output - | gzip > earthquakes.geojsonl.gz
  $ periplus export earthquakes --output quakes.fgb --url http://localhost:9999`

export function exportCommand(): Command {
  const command = new Command('export')
    .description('write the documents of a collection to a file')
    .argument('<collection>')
    .addOption(
      new Option('--format <format>', 'output format (default: detected from the file name)').choices([
        ...outputFormats,
      ]),
    )
    .option(
      '--output <file>',
      'output file, or - for standard output (default: collection name with the extension of the format)',
    )
    .option('--f <filter>', 'filter as field:operator:value; may be repeated, all must match', collect)
    .option('--q <text>', 'text to search for, or field:text; may be repeated', collect)
    .option('--dateformat <pattern>', 'date format of the values in --f')
    .option('--include <fields>', 'comma-separated patterns of the fields to write')
    .option('--exclude <fields>', 'comma-separated patterns of the fields to exclude')
    .option('--sort <fields>', 'comma-separated fields, -field for descending')
    .option('--size <number>', 'maximum number of documents to write')
    .option('--spreadsheet', 'prevent spreadsheets from evaluating cells as formulas (csv)')
    .option('--flat', 'join nested keys with _ (geojsonl)')
    .addHelpText('after', HELP)
  return addTargetOptions(command).action(
    async (collection: string, options: ExportOptions & { readonly url?: string }) => {
      const connection = await connect(settingsOf({ ...options }), options.url)
      try {
        process.exitCode = await interruptible((signal) => exportCollection(connection, collection, options, signal))
      } finally {
        await connection.close()
      }
    },
  )
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value]
