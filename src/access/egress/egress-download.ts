import { type ConnectionOptions, EgressConnections } from './egress-connections.ts'
import type { EgressGuard } from './egress-guard.ts'

export interface DownloadOptions extends ConnectionOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A file that is being downloaded. */
export interface Download {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** URL of the file, after redirects. */
  readonly url: string
  /** File name the server states. */
  readonly fileName?: string
  readonly body: AsyncIterable<Uint8Array>
}

const MOST_REDIRECTS = 5

/**
 * Downloads a file from a URL given by a user. The guard checks the URL, and that of every redirect. `use` reads the
 * body; the connection is closed afterwards.
 */
export async function download<T>(
  guard: EgressGuard,
  { headers = {}, signal, ...options }: DownloadOptions,
  from: string,
  use: (download: Download) => Promise<T>,
): Promise<T> {
  const connections = new EgressConnections(options)
  try {
    let url = from
    for (let redirects = 0; ; redirects++) {
      const target = await guard.check(url)
      const answer = await connections.to(target).request({
        origin: target.url.origin,
        path: `${target.url.pathname}${target.url.search}`,
        method: 'GET',
        headers: { 'user-agent': 'periplus', accept: '*/*', ...headers },
        ...(signal === undefined ? {} : { signal }),
      })
      const location = answer.headers.location
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        await answer.body.dump()
        if (redirects >= MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`)
        url = new URL(location, target.url).href
        continue
      }
      const stated = answer.headers['content-disposition']
      const fileName = typeof stated === 'string' ? /filename="?([^";]+)"?/.exec(stated)?.[1] : undefined
      return await use({
        status: answer.statusCode,
        headers: answer.headers,
        url: target.url.href,
        body: answer.body,
        ...(fileName === undefined ? {} : { fileName }),
      })
    }
  } finally {
    await connections.close()
  }
}
