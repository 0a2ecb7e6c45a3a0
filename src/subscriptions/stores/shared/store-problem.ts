import { ClusterFailure, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { type Problem, problem } from '../../../errors.ts'

/** The store of subscriptions, events and deliveries is unavailable. */
export const storeUnavailable = (cause: unknown): Problem =>
  Object.assign(problem('STORE_UNAVAILABLE', {}, { 'Retry-After': '5' }), { cause })

/** Converts outages of a cluster to STORE_UNAVAILABLE. Rethrows other errors. */
export async function fromCluster<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw isOutage(error) ? storeUnavailable(error) : error
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof ClusterFailure ||
  (error instanceof ClusterRefusal && (error.status >= 500 || OPERATORS_MATTER.has(error.status)))

/** Authentication, write blocks of full disks, overload. */
const OPERATORS_MATTER: ReadonlySet<number> = new Set([401, 403, 408, 429])

/** Converts errors of the SQLite file, such as a full disk, to STORE_UNAVAILABLE. */
export async function fromFile<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isFileFault(error) ? storeUnavailable(error) : error
  }
}

const isFileFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
