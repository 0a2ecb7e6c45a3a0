import { inject } from 'vitest'
import { askService } from './shared-service.ts'

/** URL of the search node that all tests share, once it is ready; empty if none can be started. */
export const clusterUrl: string = await askService(inject('clusterService'))
