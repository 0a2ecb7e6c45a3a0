import { createServer, type ServerResponse } from 'node:http'
import { MissingTool } from '../../scripts/tools/missing-tool.ts'
import { isChecking } from './checking.ts'

/** A process that all test files share: a search node, a broker. */
interface Service {
  /** What tests need to reach it. */
  readonly address: string
  readonly stop: () => Promise<void>
}

interface OfferedService {
  /** Responds to GET with the address once the service is ready; with an empty text if it cannot be started. */
  readonly url: string
  /** Begins to start it; otherwise the first request does. */
  readonly begin: () => void
  readonly stop: () => Promise<void>
}

/**
 * Starts a service in the background, so that tests that do not need it run meanwhile. `label`: printed where tests are
 * skipped because it cannot be started.
 */
export async function offerService(label: string, start: () => Promise<Service>): Promise<OfferedService> {
  let starting: Promise<Service | undefined> | undefined
  const begin = () => {
    starting ??= startOrSkip(label, start)
    return starting
  }
  const answer = async (response: ServerResponse): Promise<void> => {
    try {
      response.end((await begin())?.address ?? '')
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  }
  const server = createServer((_, response) => void answer(response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    begin: () => {
      // a failure is reported to whoever asks for the address
      begin().catch(() => undefined)
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      const service = await starting?.catch(() => undefined)
      await service?.stop()
    },
  }
}

async function startOrSkip(label: string, start: () => Promise<Service>): Promise<Service | undefined> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof MissingTool) || isChecking()) throw error
    console.error(`\n*** ${label} ARE SKIPPED: ${error.message} ***\n`)
    return undefined
  }
}

/** The address of an offered service; waits until it is ready. Empty if it cannot be started. */
export async function askService(url: string): Promise<string> {
  const answer = await fetch(url)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
