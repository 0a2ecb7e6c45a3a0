import { type ClusterClient, ClusterFailure } from './cluster-client.ts'
import { unavailability } from './cluster-problem.ts'

/** The log that outages are reported to. */
export interface OutageLog {
  warn(details: object, message: string): void
}

/** Milliseconds. Interval of the lines about an outage that lasts. */
const REMIND_MS = 600_000

/** Milliseconds. Minimum interval between the last line and that of a new outage. */
const NEXT_MS = 60_000

const DEEPEST = 5

/** True if the error says that no node can be reached, or was caused by such an error. */
export function isOutage(error: unknown): boolean {
  let one = error
  for (let depth = 0; one instanceof Error && depth < DEEPEST; depth++) {
    if (one instanceof ClusterFailure) return one.kind === 'unreachable' || one.kind === 'certificate'
    one = one.cause
  }
  return false
}

/** Reports when the cluster becomes unavailable, rarely while it remains so, and when it is available again. */
export function watchOutages(client: ClusterClient, log: OutageLog, now: () => number = Date.now): ClusterClient {
  let outage: { readonly since: number; calls: number; isTold: boolean } | undefined
  let nextLine = Number.NEGATIVE_INFINITY
  let isClosed = false

  const failed = (error: unknown): void => {
    outage ??= { since: now(), calls: 0, isTold: false }
    outage.calls++
    if (now() < nextLine) return
    const details = { reason: unavailability(error), detail: String(error), ...figures(outage) }
    log.warn(details, outage.isTold ? 'the cluster is still unavailable' : 'the cluster is unavailable')
    outage.isTold = true
    nextLine = now() + REMIND_MS
  }
  const answered = (): void => {
    if (outage?.isTold) {
      log.warn(figures(outage), 'the cluster is available again')
      nextLine = now() + NEXT_MS
    }
    outage = undefined
  }
  const figures = ({ since, calls }: { readonly since: number; readonly calls: number }) => ({
    seconds: Math.round((now() - since) / 1000),
    failedCalls: calls,
  })

  return {
    async send<T>(call: Parameters<ClusterClient['send']>[0]): Promise<T> {
      try {
        const answer = await client.send<T>(call)
        answered()
        return answer
      } catch (error) {
        if (!isClosed && isOutage(error)) failed(error)
        throw error
      }
    },
    close() {
      isClosed = true
      return client.close()
    },
  }
}
