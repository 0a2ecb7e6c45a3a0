import { useState } from 'preact/hooks'
import { ask } from '../api/request.ts'
import { token } from '../api/session.ts'
import { filterArea, filterFragment } from '../filters/filter-body.ts'
import { useExplored } from '../state/explored.ts'
import { state } from '../state/store.ts'
import { type TestedDelivery, testFault } from './tested-delivery.ts'

const KINDS = ['CREATE', 'UPDATE', 'DELETE'] as const
const YEAR_S = 365 * 24 * 3600

/** Creates a subscription to the current filters: each matching document that is written is sent to a callback URL. */
export function SubscriptionForm({ onMade }: { readonly onMade: () => void }) {
  const { collection, name } = useExplored()
  const { chips } = state.value
  const area = filterArea(chips)
  const [title, setTitle] = useState(`New in ${name}`)
  const [owner, setOwner] = useState(tokenSubject(token.value) ?? '')
  const [callback, setCallback] = useState('')
  const [kinds, setKinds] = useState<readonly string[]>(['CREATE', 'UPDATE'])
  const [problem, setProblem] = useState<string>()
  const [tested, setTested] = useState<string>()
  const active = chips.filter(({ off }) => !off)

  const submit = async (): Promise<void> => {
    setProblem(undefined)
    setTested(undefined)
    const now = Math.floor(Date.now() / 1000)
    const trigger = { collections: [collection], event: kinds, ...(area === undefined ? {} : { geometry: area }) }
    const body = {
      created_by: owner.trim(),
      active: true,
      starts_at: now,
      expires_at: now + YEAR_S,
      title: title.trim(),
      subscription: { trigger, callback: callback.trim(), hits: { filter: filterFragment(chips) } },
    }
    try {
      const { id } = await ask<{ readonly id: string }>('subscriptions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      setCallback('')
      onMade()
      await test(id)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  /** The address of a callback is checked only when it is called. */
  const test = async (id: string): Promise<void> => {
    const tried = await ask<TestedDelivery>(`subscriptions/${encodeURIComponent(id)}/_test`, { method: 'POST' })
    if (tried.state === 'DELIVERED') setTested('Created. A test message was delivered.')
    else setProblem(`Created, but the test message was not delivered: ${testFault(tried)}.`)
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p class="soft">
        {active.length === 0
          ? 'You are notified of changes of all documents. Add filters or draw an area to restrict the subscription.'
          : `You are notified of changes of documents that match the ${active.length === 1 ? 'active filter' : `${active.length} active filters`}${area === undefined ? '' : ', including the area'}.`}
      </p>
      <label>
        Title
        <input required value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
      <label>
        Callback URL
        <input
          required
          type="url"
          placeholder="https://example.org/hook"
          value={callback}
          onInput={(event) => setCallback(event.currentTarget.value)}
        />
      </label>
      <label>
        Your user name
        <input required value={owner} onInput={(event) => setOwner(event.currentTarget.value)} />
      </label>
      <fieldset class="checks across">
        <legend class="soft">When documents are</legend>
        {KINDS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={kinds.includes(kind)}
              onChange={() =>
                setKinds(kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind])
              }
            />
            {kind.toLowerCase()}d
          </label>
        ))}
      </fieldset>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {tested !== undefined && <p role="status">{tested}</p>}
      <div class="row end">
        <button type="submit" class="button primary" disabled={kinds.length === 0}>
          Subscribe
        </button>
      </div>
    </form>
  )
}

/** Returns the subject of a token; undefined for an API key. */
function tokenSubject(text: string | undefined): string | undefined {
  const [, payload] = text?.split('.') ?? []
  if (payload === undefined) return undefined
  try {
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly sub?: unknown }
    return typeof sub === 'string' ? sub : undefined
  } catch {
    // an API key, not a token
    return undefined
  }
}
