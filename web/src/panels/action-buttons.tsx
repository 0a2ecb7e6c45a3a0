import { useMemo, useState } from 'preact/hooks'
import { taggableFields } from '../api/collection-fields.ts'
import { useQuery } from '../api/use-query.ts'
import { Icon } from '../parts/icon.tsx'
import { useExplored } from '../state/explored.ts'
import { SubscriptionPanel } from './subscription-panel.tsx'
import { TagPanel } from './tag-panel.tsx'

/** Buttons of actions that change something, shown only if the server supports them and the caller is allowed to. */
export function ActionButtons() {
  const { collection, description } = useExplored()
  const taggable = useMemo(() => taggableFields(description), [description])
  // check the OpenAPI document, because requesting a missing route would be an error
  const routes = useQuery<{ readonly paths: Readonly<Record<string, unknown>> }>('openapi.json').data?.paths ?? {}
  const hasTags = taggable.length > 0 && '/status/{collection}/_taglist' in routes
  const tags = useQuery<readonly unknown[]>(
    hasTags ? `status/${encodeURIComponent(collection)}/_taglist?size=1` : undefined,
  )
  const subscriptions = useQuery<{ readonly total: number }>(
    '/subscriptions' in routes ? 'subscriptions?size=1' : undefined,
  )
  const [open, setOpen] = useState<'tags' | 'subscriptions'>()
  const close = (): void => setOpen(undefined)
  return (
    <>
      {tags.data !== undefined && (
        <button
          type="button"
          class="icon-button"
          title="Tag documents"
          aria-label="Tag documents"
          onClick={() => setOpen('tags')}
        >
          <Icon name="tag" size={16} />
        </button>
      )}
      {subscriptions.data !== undefined && (
        <button
          type="button"
          class="icon-button"
          title="Subscribe to documents that match the filters"
          aria-label="Subscriptions"
          onClick={() => setOpen('subscriptions')}
        >
          <Icon name="bell" size={16} />
        </button>
      )}
      {open === 'tags' && <TagPanel taggable={taggable} onClose={close} />}
      {open === 'subscriptions' && <SubscriptionPanel onClose={close} />}
    </>
  )
}
