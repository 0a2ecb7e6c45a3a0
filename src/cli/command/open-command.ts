import { Command, Option } from 'commander'
import { isDataFile } from '../../ingest/read/shared/input-format.ts'
import { connect } from '../client/connect.ts'
import type { CommandOptions } from '../load/load.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
The file stays where it is. It is read once, to index its columns: searches and aggregations are as fast as those of
loaded documents, and have the same answers. The documents themselves are read from the file when they are shown or
exported, which is slower. They cannot be changed, deleted or tagged. If the file changes, is moved or removed, requests
fail with OPENED_FILE_CHANGED until it is opened again with --replace.

Only Parquet and GeoParquet files on a disk of this machine can be opened, with the embedded engine, while no server
uses the data directory. "periplus index drop NAME" closes the file; the file itself is never changed.

Examples:
  $ periplus open buildings.parquet
  $ periplus open measurements/ --collection measurements --timestamp-path time
  $ periplus open buildings.parquet --replace`

/** Archives are not unpacked: the files would not stay. */
const MOST_UNPACKED = 0

export function openCommand(): Command {
  const command = new Command('open')
    .description('show Parquet files as a collection without loading them')
    .argument('<files...>', 'Parquet files, folders or patterns')
    .option('--index <name>', 'name of the index (default: named after the file)')
    .option('--collection <name>', 'register the index as this collection (default: named after the file)')
    .option('--no-collection', 'register no collection')
    .option('--replace', 'replace the index if it exists')
    .option('--id-path <path>', 'field that identifies a document')
    .option('--geometry-path <path>', 'field with the geometry')
    .option('--centroid-path <path>', 'field with the centroid of the geometry')
    .option('--timestamp-path <path>', 'field with the timestamp')
    .option('--crs <name>', 'coordinate system, such as EPSG:27700 (default: as stated by the file, else degrees)')
    .option('--lon <field>', 'column with the longitude or easting')
    .option('--lat <field>', 'column with the latitude or northing')
    .addOption(
      new Option('--date-order <order>', 'order of dates such as 05/06/1992').choices(['day-first', 'month-first']),
    )
    .option('--row-id <field>', 'add a field with the number of the row, which identifies the document')
    .option('--rejects <file>', 'file for rejected documents (default: <file>.rejects.ndjson)')
    .option('--dry-run', 'print the mapping and what was assumed, without opening')
    .addHelpText('after', HELP)
  return addTargetOptions(command).action(async (names: readonly string[], options: CommandOptions) => {
    const settings = settingsOf({ ...options })
    const [{ load }, { openSources }, { openingTarget }, { checkCanOpen }] = await Promise.all([
      import('../load/load.ts'),
      import('../../ingest/source/open-sources.ts'),
      import('../load/opening-target.ts'),
      import('../../ingest/open/describe-files.ts'),
    ])
    const sources = await openSources(names, { isData: isDataFile, mostUnpacked: MOST_UNPACKED })
    try {
      await checkCanOpen(sources.files)
      const connection = await connect(settings, options.url)
      try {
        const way = { target: openingTarget(connection, sources.files, options), verb: 'Opened' } as const
        process.exitCode = await load(
          connection,
          sources,
          { ...options, format: 'parquet', isNew: true },
          settings.server.port,
          way,
        )
      } finally {
        await connection.close()
      }
    } finally {
      sources.close()
    }
  })
}
