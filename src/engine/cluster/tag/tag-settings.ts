import type { ApplySettings } from './tag-apply.ts'

/** How tags are carried out on a cluster (`tagging.cluster`). */
export interface ClusterTagSettings extends ApplySettings {
  /** Chunks of a tag under way at once. */
  readonly inFlight: number
  readonly leaseSeconds: number
}

/** As the settings say unless they are told otherwise. */
export const defaultTagSettings: ClusterTagSettings = {
  bulkActions: 1_000,
  bulkBytes: 5 * 1024 * 1024,
  inFlight: 4,
  conflictRetries: 10,
  leaseSeconds: 30,
}
