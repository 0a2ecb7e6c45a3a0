import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { buildServer } from '../http/server.ts'
import type { Services } from '../http/services.ts'
import { stopServer } from '../http/stop-server.ts'
import { CliFault } from './cli-fault.ts'
import { DEMO_COLLECTION, loadDemo } from './demo-data.ts'
import { closeLocalServices, openLocalServices } from './local-services.ts'
import { findServer, removeServerFile, writeServerFile } from './server-file.ts'
import { version } from './version.ts'

/** Starts the server and says where it is; it runs until a signal stops it. */
export async function serve(settings: Settings, demo: boolean): Promise<void> {
  const directory = settings.data.directory
  const running = await findServer(directory)
  if (running !== undefined) {
    throw new CliFault(
      `A server uses the data directory ${path.resolve(directory)} already, at ${running.url} (process ${running.pid}): stop it, or choose another directory with --data.`,
    )
  }
  let report: (error: unknown) => void = console.error
  const services = await openLocalServices(settings, (error) => report(error))
  const app = await startListening(services, demo)
  report = (error) => app.log.error({ err: error }, 'putting the storage in order failed')
  const url = addressOf(app, settings)
  writeServerFile(directory, { pid: process.pid, url })
  stopOnSignal(app, services)
  console.log(greeting(url, directory, (await services.store.get(DEMO_COLLECTION)) !== undefined))
}

async function startListening(services: Services, demo: boolean): Promise<FastifyInstance> {
  const { host, port } = services.settings.server
  try {
    if (demo && (await loadDemo(services))) console.log(`Loaded the sample collection ${DEMO_COLLECTION}.`)
    const app = await buildServer(services)
    await app.listen({ host, port })
    return app
  } catch (error) {
    await closeLocalServices(services)
    throw listeningFault(error, host, port)
  }
}

function listeningFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new CliFault(`Port ${port} is in use by another program: stop it, or choose another port with --port.`)
  }
  if (code === 'EACCES') {
    return new CliFault(`Port ${port} needs more rights than this user has: choose one above 1023 with --port.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliFault(`This machine has no address ${host}: choose another with --host.`)
  }
  return error
}

/** An address that works from this machine, also when the server listens on all of its addresses. */
function addressOf(app: FastifyInstance, settings: Settings): string {
  const bound = app.server.address()
  const host = settings.server.host === '0.0.0.0' || settings.server.host === '::' ? '127.0.0.1' : settings.server.host
  const port = typeof bound === 'object' && bound !== null ? bound.port : settings.server.port
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function stopOnSignal(app: FastifyInstance, services: Services): void {
  let stopping: number | undefined
  const stop = (): void => {
    if (stopping !== undefined) {
      // one Ctrl-C can arrive twice, from the terminal and from the process that started this one
      if (performance.now() - stopping > 1_000) process.exit(1)
      return
    }
    stopping = performance.now()
    console.log('Stopping...')
    stopServer(app, services)
      .then(() => {
        removeServerFile(services.settings.data.directory)
        process.exit(0)
      })
      .catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

function greeting(url: string, directory: string, hasDemo: boolean): string {
  const example = hasDemo
    ? `${url}/explore/${DEMO_COLLECTION}/_search?size=2&sort=-mag&pretty=true`
    : `${url}/explore/_list`
  return `
Periplus ${version} is ready: open ${url}/

  try        ${example}
  load       npx periplus load FILE --index NAME --collection NAME
  data       ${path.resolve(directory)}
  stop       Ctrl-C
`
}
