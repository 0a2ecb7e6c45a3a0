import { useState } from 'preact/hooks'
import type { CollectionDescription } from '../api/answers.ts'
import { signInWanted, signOut, token } from '../api/session.ts'
import { LiveSwitch } from '../live/live-switch.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { change, revision, state } from '../state/store.ts'
import { switchTheme, theme } from '../state/theme.ts'
import { ActionButtons } from './action-buttons.tsx'
import { CollectionChooser } from './collection-chooser.tsx'
import { ExportMenu } from './export-menu.tsx'
import { SearchBox } from './search-box.tsx'
import { SignIn } from './sign-in.tsx'

/** Top bar: collection, search, and actions on the result. */
export function TopBar({
  collections,
  isOpen,
}: {
  readonly collections: readonly CollectionDescription[]
  readonly isOpen: boolean
}) {
  const [asking, setAsking] = useState(false)
  return (
    <header class="top-bar">
      <a class="brand" href="status-page" title="About this server">
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <circle cx="16" cy="16" r="14" fill="none" stroke="currentColor" stroke-width="2" />
          <path d="M16 5l4 11-4 11-4-11z" fill="currentColor" />
        </svg>
        <span>Periplus</span>
      </a>
      {collections.length > 0 && <CollectionChooser collections={collections} />}
      {isOpen && <SearchBox />}
      <div class="actions">
        {isOpen && (
          <>
            <button
              type="button"
              class="button list-toggle"
              aria-pressed={state.value.list}
              onClick={() => change({ list: !state.value.list, document: undefined })}
            >
              <Icon name="list" /> <span class="wide-only">List</span>
            </button>
            <LiveSwitch />
            <ExportMenu key={`export ${state.value.collection}`} />
            {/* another collection closes the dialogs about this one */}
            <ActionButtons key={state.value.collection} />
            <CopyButton icon="link" label="Copy a link to this view" text={() => location.href} />
            <button
              type="button"
              class="icon-button wide-only"
              title="Reload all data"
              aria-label="Refresh"
              onClick={() => revision.value++}
            >
              <Icon name="refresh" size={16} />
            </button>
          </>
        )}
        <button
          type="button"
          class="icon-button"
          title={theme.value === 'dark' ? 'Light' : 'Dark'}
          aria-label={`Switch to ${theme.value === 'dark' ? 'light' : 'dark'} colours`}
          onClick={switchTheme}
        >
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} size={16} />
        </button>
        {(token.value !== undefined || signInWanted.value) && (
          <button
            type="button"
            class="button"
            onClick={() => (token.value === undefined ? setAsking(true) : signOut())}
          >
            <Icon name="key" size={16} /> {token.value === undefined ? 'Sign in' : 'Sign out'}
          </button>
        )}
      </div>
      {(asking || signInWanted.value) && (
        <SignIn
          onClose={() => {
            setAsking(false)
            signInWanted.value = false
          }}
        />
      )}
    </header>
  )
}
