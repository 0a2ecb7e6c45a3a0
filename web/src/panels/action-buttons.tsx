import { useMemo, useState } from 'preact/hooks'
import { taggableFields } from '../api/collection-fields.ts'
import { useQuery } from '../api/use-query.ts'
import { Icon } from '../parts/icon.tsx'
import { useExplored } from '../state/explored.ts'
import { SubscriptionPanel } from './subscription-panel.tsx'
import { TagPanel } from './tag-panel.tsx'

/** What changes something, only where the server has it and the caller may use it. */
export function ActionButtons() {
  const { collection, description } = useExplored()
  const taggable = useMemo(() => taggableFields(description), [description])
  // the description names the routes there are: asking for one that is not would be an error
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
          title="Subscribe to what the filters select"
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
