import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ownScheme, ownUrl } from '../../config/own-address.ts'
import type { Settings } from '../../config/settings.ts'
import { Problem } from '../../errors.ts'
import { stopServer } from '../../http/health/stop-server.ts'
import { buildServer } from '../../http/server/server.ts'
import type { Services } from '../../http/services.ts'
import type { DeliveryLog } from '../../subscriptions/delivery/create-delivery.ts'
import { CliFault } from '../terminal/cli-fault.ts'
import { ownCommand, version } from '../terminal/version.ts'
import { DEMO_COLLECTION, loadDemo } from './demo-data.ts'
import { exposureWarning, isExposed, isWildcard, reachableUrls } from './exposure.ts'
import { closeLocalServices, type LocalServices, openLocalServices, printedLog } from './local-services.ts'
import { logOutput } from './log-output.ts'
import { findServer, removeServerFile, writeServerFile } from './server-file.ts'

/** Starts the server and prints its address; runs until a signal stops it. */
export async function serve(settings: Settings, demo: boolean): Promise<void> {
  const isEmbedded = settings.engine.kind === 'embedded'
  if (isEmbedded) await refuseSharedDirectory(settings.data.directory)
  let log: DeliveryLog = printedLog
  const services = await openLocalServices(settings, {
    onBackgroundFault: (error) => log.error({ err: error }, 'a background task failed'),
    onNotice: (text) => log.warn({}, text),
    log: {
      warn: (details, message) => log.warn(details, message),
      error: (details, message) => log.error(details, message),
    },
  })
  let certificate: string | undefined
  let publish = (): void => {}
  const app = await startListening(services, demo, {
    takeLog: (own) => {
      log = own
    },
    onCertificate: (fingerprint) => {
      certificate = fingerprint
      publish()
    },
  })
  const url = addressOf(app, settings)
  if (isEmbedded) {
    publish = () => writeServerFile(settings.data.directory, { pid: process.pid, url, certificate })
    publish()
  }
  stopOnSignal(app, services)
  // commands find an embedded server by its data directory
  const target = isEmbedded ? '' : ` --url ${url}`
  console.log(greeting(url, target, await describeStorage(services), await hasDemo(services)))
  if (isExposed(settings)) console.error(exposureWarning(reachableUrls(settings, portOf(app, settings))))
}

async function refuseSharedDirectory(directory: string): Promise<void> {
  const running = await findServer(directory)
  if (running === undefined) return
  throw new CliFault(
    `The data directory ${path.resolve(directory)} is already in use by a server at ${running.url} (process ${running.pid}): stop it, or choose another directory with --data.`,
  )
}

/** Line of the greeting with the location of the documents. An unreachable cluster does not prevent the start. */
async function describeStorage({ engine, settings }: Services): Promise<string> {
  if (settings.engine.kind === 'embedded') return `data       ${path.resolve(settings.data.directory)}`
  const { ok, detail } = await engine.health()
  if (!ok) console.log(`The cluster is not usable yet. ${detail}.\nRequests return 503 until it is.`)
  return `cluster    ${ok ? detail : 'not usable yet'}`
}

async function hasDemo({ store }: Services): Promise<boolean> {
  try {
    return (await store.get(DEMO_COLLECTION)) !== undefined
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

async function prepareDemo(services: LocalServices): Promise<void> {
  try {
    if (await loadDemo(services)) console.log(`Loaded the sample collection ${DEMO_COLLECTION}.`)
  } catch (error) {
    if (services.settings.engine.kind === 'embedded' || !(error instanceof Problem)) throw error
    // an unreachable cluster was already reported by the greeting
    const why = error.code === 'ENGINE_UNAVAILABLE' ? '' : ` (${error.message})`
    console.log(`The sample collection ${DEMO_COLLECTION} was not loaded${why}; the next start tries again.`)
  }
}

interface StartHooks {
  readonly takeLog: (log: DeliveryLog) => void
  readonly onCertificate: (fingerprint: string) => void
}

async function startListening(
  services: LocalServices,
  demo: boolean,
  { takeLog, onCertificate }: StartHooks,
): Promise<FastifyInstance> {
  const { host, port } = services.settings.server
  try {
    if (demo) await prepareDemo(services)
    const app = await buildServer(services, { log: logOutput(), onCertificate })
    await app.listen({ host, port, listenTextResolver: (address) => listeningText(address, services.settings) })
    takeLog(app.log)
    services.tagging?.start()
    services.notifications?.start()
    return app
  } catch (error) {
    await closeLocalServices(services)
    throw listeningFault(error, host, port)
  }
}

/** Line of the log. Fastify does not know that the server speaks TLS. */
const listeningText = (address: string, settings: Settings): string =>
  `Server listening at ${address.replace(/^http:/, `${ownScheme(settings)}:`)}`

function listeningFault(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new CliFault(`Port ${port} is in use by another program: stop it, or choose another port with --port.`)
  }
  if (code === 'EACCES') {
    return new CliFault(`This user is not allowed to use port ${port}: choose a port above 1023 with --port.`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliFault(`${host} is not an address of this machine: choose another with --host.`)
  }
  return error
}

/** Returns an address that works on this machine, even if the server listens on all addresses. */
function addressOf(app: FastifyInstance, settings: Settings): string {
  const { host } = settings.server
  return ownUrl(settings, isWildcard(host) ? '127.0.0.1' : host, portOf(app, settings))
}

function portOf(app: FastifyInstance, settings: Settings): number {
  const bound = app.server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : settings.server.port
}

function stopOnSignal(app: FastifyInstance, services: Services): void {
  let stopping: number | undefined
  const stop = (): void => {
    if (stopping !== undefined) {
      // one Ctrl-C can arrive twice, from the terminal and from the parent process
      if (performance.now() - stopping > 1_000) process.exit(1)
      return
    }
    stopping = performance.now()
    console.log('Stopping...')
    stopServer(app, services)
      .then(() => {
        if (services.settings.engine.kind === 'embedded') removeServerFile(services.settings.data.directory)
        process.exit(0)
      })
      .catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

function greeting(url: string, target: string, storage: string, withDemo: boolean): string {
  const example = withDemo
    ? `${url}/explore/${DEMO_COLLECTION}/_search?size=2&sort=-mag&pretty=true`
    : `${url}/explore/_list`
  return `
Periplus ${version} is ready: open ${url}/

  try        ${example}
  load       ${ownCommand} load FILE${target}
  ${storage}
  stop       Ctrl-C
`
}
