import { inject } from 'vitest'
import { askService } from './shared-service.ts'

/** Of projects with a cluster; quick runs have none. */
const service: string | undefined = inject('clusterService')

export const hasCluster = service !== undefined

/** URL of the search node that all tests share, once it is ready; empty if none can be started. */
export const clusterUrl: string = service === undefined ? '' : await askService(service)
