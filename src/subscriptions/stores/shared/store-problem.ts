import { ClusterFailure, ClusterRefusal } from '../../../cluster-client/cluster-client.ts'
import { type Problem, problem } from '../../../errors.ts'

/** The store of subscriptions, events and deliveries did not answer. */
export const storeUnavailable = (cause: unknown): Problem =>
  Object.assign(problem('STORE_UNAVAILABLE', {}, { 'Retry-After': '5' }), { cause })

/** Faults of a cluster that are not ours become STORE_UNAVAILABLE; anything else stays what it is. */
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

/** Credentials, blocks of full disks, overload. */
const OPERATORS_MATTER: ReadonlySet<number> = new Set([401, 403, 408, 429])

/** Faults of the file, such as a full disk; with the embedded store these are what being away means. */
export async function fromFile<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isFileFault(error) ? storeUnavailable(error) : error
  }
}

const isFileFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
