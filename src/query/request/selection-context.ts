import type { Limits } from '../../config/settings.ts'
import type { Filter } from '../../model/filter.ts'
import type { Access } from '../access/access.ts'
import type { RequestOrigin } from '../page/request-origin.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import type { Notices } from './notices.ts'

/** The filters sent with a request. */
export interface RequestFilters {
  readonly filter?: Filter | undefined
  readonly partitionFilter?: readonly Filter[] | undefined
}

export interface SelectionContext {
  readonly collection: CollectionView
  readonly access: Access
  readonly limits: Limits
  /** Milliseconds; read once per request. */
  readonly now: number
  readonly origin: RequestOrigin
  /** Told of fields the request names that do not exist. */
  readonly notices?: Notices
}
