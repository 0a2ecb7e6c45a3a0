import { useState } from 'preact/hooks'
import { ask } from '../api/request.ts'
import { useQuery } from '../api/use-query.ts'
import { formatMoment } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { FaultMessage, Shimmer } from '../parts/messages.tsx'
import { Modal } from '../parts/modal.tsx'
import { SubscriptionForm } from './subscription-form.tsx'
import { type TestedDelivery, testFault } from './tested-delivery.ts'

interface Subscription {
  readonly id: string
  readonly title: string
  readonly active: boolean
  readonly created_by: string
  readonly subscription: { readonly callback: string; readonly trigger: { readonly collections?: readonly string[] } }
}

interface Delivery {
  readonly id: string
  readonly type: string
  readonly document_id?: string
  readonly state: string
  readonly attempts: number
  readonly created_at: number
  readonly last_error?: string
}

/** Creates subscriptions from the current filters, and lists the existing ones with their deliveries. */
export function SubscriptionPanel({ onClose }: { readonly onClose: () => void }) {
  const [round, setRound] = useState(0)
  const { data, fault, retry } = useQuery<{ readonly total: number; readonly subscriptions: readonly Subscription[] }>(
    `subscriptions?size=50&round=${round}`,
  )
  const again = (): void => setRound(round + 1)
  return (
    <Modal title="Subscriptions" onClose={onClose}>
      <SubscriptionForm onMade={again} />
      <h3>{data === undefined ? 'Your subscriptions' : `Your subscriptions (${formatCount(data.total)})`}</h3>
      {fault !== undefined && <FaultMessage fault={fault} retry={retry} />}
      {data === undefined && fault === undefined && <Shimmer lines={2} />}
      <ul class="subscriptions">
        {data?.subscriptions.map((one) => (
          <SubscriptionRow key={one.id} one={one} onChange={again} />
        ))}
      </ul>
    </Modal>
  )
}

function SubscriptionRow({ one, onChange }: { readonly one: Subscription; readonly onChange: () => void }) {
  const [open, setOpen] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [said, setSaid] = useState<string>()
  const path = `subscriptions/${encodeURIComponent(one.id)}`
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      setSaid(undefined)
      await work()
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <li>
      <div class="row">
        <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="chevron" size={14} /> {one.title}
        </button>
        <span class="soft grow">{one.active ? one.subscription.callback : 'inactive'}</span>
        <button
          type="button"
          class="button small"
          onClick={() =>
            act(async () => {
              const tried = await ask<TestedDelivery>(`${path}/_test`, { method: 'POST' })
              setSaid(tried.state === 'DELIVERED' ? 'The test was delivered' : `The test failed: ${testFault(tried)}`)
            })
          }
        >
          Test
        </button>
        <button
          type="button"
          class="button small"
          onClick={() =>
            act(async () => {
              setSecret((await ask<{ readonly secret: string }>(`${path}/secret`, { method: 'POST' })).secret)
            })
          }
        >
          New secret
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Delete ${one.title}`}
          onClick={() =>
            act(async () => {
              await ask(path, { method: 'DELETE' })
              onChange()
            })
          }
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      {said !== undefined && <p role="status">{said}</p>}
      {secret !== undefined && (
        <p>
          The new secret, which is not shown again: <code>{secret}</code>{' '}
          <CopyButton icon="columns" label="Copy the secret" text={() => secret} />
        </p>
      )}
      {open && <Deliveries path={path} />}
    </li>
  )
}

function Deliveries({ path }: { readonly path: string }) {
  const [round, setRound] = useState(0)
  const { data, fault, retry } = useQuery<{ readonly total: number; readonly deliveries: readonly Delivery[] }>(
    `${path}/deliveries?size=20&round=${round}`,
  )
  if (fault !== undefined) return <FaultMessage fault={fault} retry={retry} />
  if (data === undefined) return <Shimmer lines={2} />
  return (
    <div class="deliveries">
      <div class="row">
        <span class="soft">
          {data.total === 0
            ? 'Nothing was delivered yet.'
            : `${formatCount(data.total)} ${data.total === 1 ? 'delivery' : 'deliveries'}`}
        </span>
        <button type="button" class="button small" onClick={() => setRound(round + 1)}>
          <Icon name="refresh" size={13} /> Reload
        </button>
      </div>
      <ul class="log">
        {data.deliveries.map(({ id, type, document_id, state, created_at, last_error }) => (
          <li key={id}>
            <span>
              {state === 'DELIVERED' ? '✓' : state === 'FAILED' ? '✗' : '…'} {type} {document_id}
            </span>
            <span class="soft">
              {state.toLowerCase()} {last_error} {formatMoment(created_at * 1000)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
