import { Command, Option } from 'commander'
import { connect } from '../client/connect.ts'
import { type ExportOptions, exportCollection, outputFormats } from '../client/export.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Formats:
  geojsonl          one GeoJSON feature per line
  csv               a column per field, the geometry last, in WKT
  geoparquet        GeoParquet 1.1, typed columns
  flatgeobuf        FlatGeobuf 3, typed columns
  shapefile         a zip of shapefiles, one for each kind of geometry
Documents without geometry are in csv and geoparquet only.

Without --size all documents that match are written. The file has its name when it is whole: if something goes wrong
nothing is left behind, and a file that was there before stays.

Exit codes: 0 done, 1 failed, 2 wrongly called.

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
      new Option('--format <format>', 'kind of the file, when its name does not tell').choices([...outputFormats]),
    )
    .option(
      '--output <file>',
      'the file, or - for standard output (default: the collection with the ending of the format)',
    )
    .option('--f <filter>', 'field:operator:value; may be repeated, all must hold', collect)
    .option('--q <text>', 'text to look for, or field:text; may be repeated', collect)
    .option('--dateformat <pattern>', 'pattern of the dates in --f')
    .option('--include <fields>', 'comma-separated patterns of the fields to write')
    .option('--exclude <fields>', 'comma-separated patterns of fields to leave out')
    .option('--sort <fields>', 'comma-separated fields, -field for descending')
    .option('--size <number>', 'write only the first so many')
    .option('--spreadsheet', 'keep spreadsheets from running cells as formulas (csv)')
    .option('--flat', 'join nested keys with _ (geojsonl)')
    .addHelpText('after', HELP)
  return addTargetOptions(command).action(
    async (collection: string, options: ExportOptions & { readonly url?: string }) => {
      const connection = await connect(settingsOf({ ...options }), options.url)
      const interruption = new AbortController()
      const interrupt = (): void => interruption.abort()
      process.once('SIGINT', interrupt)
      process.once('SIGTERM', interrupt)
      try {
        process.exitCode = await exportCollection(connection, collection, options, interruption.signal)
      } finally {
        process.off('SIGINT', interrupt)
        process.off('SIGTERM', interrupt)
        await connection.close()
      }
    },
  )
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value]
