import type { Settings } from '../../config/settings.ts'
import { isAuthenticating } from '../auth/auth.ts'
import type { DescribedRoute, Schema } from './described-route.ts'

const header = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

/** Headers that narrow the view of a caller (spec 9.1 to 9.3), as components. */
export const accessParameters: Readonly<Record<string, Schema>> = {
  PartitionFilter: header(
    'partition-filter',
    'Comma-separated JSON filters, or maps of collections to filters. Only documents that match one of them are visible.',
  ),
  ColumnFilter: header(
    'column-filter',
    'Comma-separated visible fields, `collection:field` for the fields of one collection. `*` matches any characters.',
  ),
  Organization: header(
    'arlas-organization',
    'Comma-separated organisations of the caller. Collections of other organisations are not visible.',
  ),
}

/**
 * With authentication, the server derives these headers from the permissions of the caller, so clients do not send
 * them.
 */
export function narrowingParameters({ path }: DescribedRoute, settings: Settings): readonly Schema[] {
  if (isAuthenticating(settings) || !/^\/(?:explore|collections|write|status|subscriptions)/.test(path)) return []
  return Object.keys(accessParameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))
}
