import { Command } from 'commander'
import { version } from '../terminal/version.ts'
import { collectionsCommand } from './collections-command.ts'
import { completionCommand } from './completion-command.ts'
import { deliveriesCommand } from './deliveries-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { exportCommand } from './export-command.ts'
import { indexCommand } from './index-command.ts'
import { keysCommand } from './keys-command.ts'
import { loadCommand } from './load-command.ts'
import { openCommand } from './open-command.ts'
import { serveCommand } from './serve-command.ts'
import { subscriptionsCommand } from './subscriptions-command.ts'
import { tagCommand, untagCommand } from './tag-command.ts'
import { tagsCommand } from './tags-command.ts'
import { webhookReceiverCommand } from './webhook-receiver-command.ts'

const HELP = `
Examples:
  $ periplus serve --demo
  $ periplus load trips.csv
  $ periplus open buildings.parquet
  $ periplus export trips --output trips.parquet
  $ periplus collections list
  $ periplus tag trips --path tags --value late --filter delay:gt:3600 --wait
  $ periplus doctor

Run "periplus COMMAND --help" for more information about a command.`

/** Builds the command line; each command has its own file. */
export function buildProgram(): Command {
  const program = new Command('periplus')
    .description('Explore, aggregate, tag and monitor millions of documents with a location and a time')
    .version(version)
    .addHelpText('after', HELP)
    .showHelpAfterError('(use --help to show the usage)')
  const commands = [
    serveCommand(),
    loadCommand(),
    openCommand(),
    exportCommand(),
    indexCommand(),
    collectionsCommand(),
    tagCommand(),
    untagCommand(),
    tagsCommand(),
    subscriptionsCommand(),
    deliveriesCommand(),
    webhookReceiverCommand(),
    keysCommand(),
    doctorCommand(),
    completionCommand(program),
  ]
  for (const command of commands) program.addCommand(command)
  return program
}
