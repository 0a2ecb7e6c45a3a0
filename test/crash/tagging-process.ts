import { openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { StepObserver } from '../../src/engine/step-observer.ts'
import { buildServer } from '../../src/http/server/server.ts'

/**
 * A server that kills itself (as with kill -9) when it reaches a step of tagging for the n-th time. Arguments: data
 * directory, step (or `none`), n, and settings as `key=value`.
 */
const [directory = '', step = 'none', times = '1', ...settings] = process.argv.slice(2)

let left = Number(times)
const steps: StepObserver = (reached) => {
  if (reached === step && --left === 0) process.kill(process.pid, 'SIGKILL')
}

const flags = {
  'data.directory': directory,
  'server.port': '0',
  'log.level': 'silent',
  ...Object.fromEntries(settings.map((setting) => setting.split('=', 2) as [string, string])),
}
const services = await openLocalServices(loadSettings({ flags, cwd: directory }), { steps })
const app = await buildServer(services)
const base = await app.listen({ host: '127.0.0.1', port: 0 })
services.tagging?.start()
process.send?.({ base })
