import { Command } from 'commander'
import { exitCodes } from '../terminal/cli-fault.ts'
import { addTargetOptions, settingsOf } from '../terminal/settings-options.ts'

const HELP = `
Checks the Node version, the settings, the data directory, the port and the engine or the cluster, and suggests how to
fix problems. Exit code 1 if a check fails.

Examples:
  $ periplus doctor
  $ periplus doctor --data /var/lib/periplus --set server.port=8080
  $ periplus doctor --engine cluster --cluster-url https://search.example.org:9200`

export function doctorCommand(): Command {
  const command = new Command('doctor').description('check that a server can run here').addHelpText('after', HELP)
  return addTargetOptions(command).action(async (options: object) => {
    const settings = settingsOf({ ...options })
    const { examine } = await import('../serve/doctor.ts')
    let failed = 0
    for await (const { ok, text } of examine(settings)) {
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${text}`)
      if (!ok) failed += 1
    }
    console.log(
      failed === 0 ? 'All checks succeeded.' : failed === 1 ? 'One check failed.' : `${failed} checks failed.`,
    )
    process.exitCode = failed === 0 ? exitCodes.done : exitCodes.failed
  })
}
