import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ask } from '../api/request.ts'
import { signInWanted, signOut, token } from '../api/session.ts'
import { SignIn } from '../panels/sign-in.tsx'
import { Icon } from '../parts/icon.tsx'
import { switchTheme, theme } from '../state/theme.ts'
import { type OpenApi, resolverOf } from './openapi.ts'
import { OperationCard } from './operation-card.tsx'
import { type Group, groupsOf, searchGroups } from './operations.ts'
import { Line, Prose } from './prose.tsx'
import { changesAllowed, chooseSample, listCollections, sample } from './sample-reader.ts'

const anchor = (): string => decodeURIComponent(location.hash.slice(1))

/** The API page: the OpenAPI document of this server, with examples that run on it. */
export function Reference() {
  const [api, setApi] = useState<OpenApi | undefined>(undefined)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState(anchor)
  const [signing, setSigning] = useState(false)
  const search = useRef<HTMLInputElement>(null)

  useEffect(() => {
    setFault(undefined)
    ask<OpenApi>('openapi.json').then(setApi, (error: Error) => setFault(error.message))
  }, [token.value])
  useEffect(() => {
    const move = (): void => setWanted(anchor())
    const focus = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      search.current?.focus()
    }
    addEventListener('hashchange', move)
    addEventListener('keydown', focus)
    return () => {
      removeEventListener('hashchange', move)
      removeEventListener('keydown', focus)
    }
  }, [])
  useEffect(() => {
    if (api !== undefined) document.getElementById(wanted)?.scrollIntoView()
  }, [api, wanted])

  const groups = useMemo(() => (api === undefined ? [] : groupsOf(api)), [api])
  const resolve = useMemo(() => (api === undefined ? undefined : resolverOf(api)), [api])
  const found = useMemo(() => searchGroups(groups, text.trim()), [groups, text])
  const number = found.reduce((sum, { operations }) => sum + operations.length, 0)

  return (
    <>
      <header class="top">
        <a class="brand" href="./">
          Periplus
        </a>
        <span class="soft">{api?.info.version}</span>
        <nav aria-label="Pages">
          <a href="./">Explorer</a>
          <a href="status-page">Status</a>
          <a href="openapi.json">OpenAPI</a>
        </nav>
        <button
          type="button"
          class="button small"
          onClick={() => (token.value === undefined ? setSigning(true) : signOut())}
        >
          <Icon name="key" size={14} /> {token.value === undefined ? 'Sign in' : 'Sign out'}
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Switch to ${theme.value === 'dark' ? 'light' : 'dark'} colours`}
          onClick={switchTheme}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} size={16} />
        </button>
      </header>
      <div class="columns">
        <aside class="side" aria-label="Contents">
          <input
            ref={search}
            type="search"
            placeholder="Search operations ( / )"
            aria-label="Search operations"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <p class="soft count" role="status">
            {api === undefined ? '' : `${number} operations`}
          </p>
          <Contents groups={found} />
        </aside>
        <main>
          <h1>API</h1>
          <Setup />
          {fault !== undefined && (
            <p class="problem" role="alert">
              The OpenAPI document could not be loaded: {fault}.
            </p>
          )}
          {resolve !== undefined &&
            found.map(({ name, description, operations }) => (
              <section key={name} class="group">
                <h2 id={`group-${name}`}>{name}</h2>
                <p class="soft">
                  <Line text={description} />
                </p>
                {operations.map((operation) => (
                  <OperationCard
                    key={operation.id}
                    operation={operation}
                    resolve={resolve}
                    open={operation.id === wanted}
                  />
                ))}
              </section>
            ))}
          {api !== undefined && text.trim() === '' && <Prose markdown={api.info.description ?? ''} />}
        </main>
      </div>
      {(signing || signInWanted.value) && (
        <SignIn
          onClose={() => {
            setSigning(false)
            signInWanted.value = false
          }}
        />
      )}
    </>
  )
}

function Contents({ groups }: { readonly groups: readonly Group[] }) {
  return (
    <nav aria-label="Operations">
      {groups.map(({ name, operations }) => (
        <section key={name}>
          <h2>
            <a href={`#group-${name}`}>{name}</a>
          </h2>
          <ul>
            {operations.map(({ id, summary, method }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  {summary ?? id} <span class="soft">{method.toUpperCase()}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** Chooses the collection of the examples, and whether they may change data. */
function Setup() {
  const [names, setNames] = useState<readonly string[] | undefined>(undefined)
  const choose = (name: string): void => {
    chooseSample(name).catch(() => (sample.value = undefined))
  }
  useEffect(() => {
    listCollections().then(
      (all) => {
        setNames(all)
        if (all[0] !== undefined) choose(all[0])
      },
      () => setNames([]),
    )
  }, [token.value])
  return (
    <div class="setup">
      {names?.length === 0 && (
        <p class="soft">This server shows no collection. Load a file to get examples that run.</p>
      )}
      {names !== undefined && names.length > 0 && (
        <label>
          Examples about{' '}
          <select onChange={(event) => choose(event.currentTarget.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={changesAllowed.value}
          onChange={(event) => (changesAllowed.value = event.currentTarget.checked)}
        />{' '}
        Allow requests that change data. Examples change only the index and the collection <code>example-harbours</code>
        , which they create.
      </label>
    </div>
  )
}
