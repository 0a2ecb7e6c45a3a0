import { Command } from 'commander'
import { printConfig } from '../../config/print-settings.ts'
import { addSettingOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Settings are read from the defaults, the settings file, environment variables (such as PERIPLUS_SERVER_PORT) and these
options. Later sources override earlier ones.

Examples:
  $ periplus serve --demo
  $ periplus serve --port 8080 --data /var/lib/periplus --host 0.0.0.0
  $ periplus serve --set limits.size=500 --log-level warn
  $ periplus serve --engine cluster --cluster-url http://127.0.0.1:9200
  $ periplus serve --print-config > periplus.yaml`

interface ServeOptions {
  readonly demo?: boolean
  readonly printConfig?: boolean
}

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('start the server')
    .option('--demo', 'load sample data on first start')
    .option('--no-demo', 'do not load sample data (default)')
    .option('--print-config', 'print the settings in the format of a settings file and exit')
    .addHelpText('after', HELP)
  return addSettingOptions(command).action(async (options: ServeOptions) => {
    const settings = settingsOf({ ...options })
    if (options.printConfig === true) console.log(printConfig(settings).trimEnd())
    else {
      // loaded lazily: only the server needs the engine
      const { serve } = await import('../serve/serve.ts')
      await serve(settings, options.demo === true)
    }
  })
}
