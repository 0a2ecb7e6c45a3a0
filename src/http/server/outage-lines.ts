import type { LogFn, Logger } from 'pino'
import { isOutage } from '../../cluster-client/outage-watch.ts'

/**
 * Leaves out the lines of errors caused by an outage of the cluster, except at level `debug`: everything fails then, and
 * the client of the cluster reports the outage.
 */
export function skipOutages(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [details] = args as readonly unknown[]
  const error = typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined
  if (isOutage(error) && !this.isLevelEnabled('debug')) return
  method.apply(this, args)
}
