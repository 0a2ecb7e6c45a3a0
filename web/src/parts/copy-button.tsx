import { useState } from 'preact/hooks'
import { curlCommand } from '../api/curl.ts'
import { base } from '../api/request.ts'
import { token } from '../api/session.ts'
import { Icon, type IconName } from './icon.tsx'

interface CopyProps {
  readonly text: () => string
  readonly label: string
  readonly icon: IconName
  readonly children?: string
}

/** Copies a text and confirms it. */
export function CopyButton({ text, label, icon, children }: CopyProps) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setState('done')
    } catch {
      // only secure origins may write to the clipboard; show the text to copy manually
      window.prompt(label, text())
      setState('failed')
    }
    setTimeout(() => setState('idle'), 1600)
  }
  const said = state === 'done' ? 'Copied' : label
  return (
    <button
      type="button"
      class={children === undefined ? 'icon-button' : 'button small'}
      title={said}
      aria-label={said}
      onClick={copy}
    >
      <Icon name={icon} size={children === undefined ? 16 : 14} />
      {children !== undefined && <span>{state === 'done' ? 'Copied' : children}</span>}
      {children === undefined && state === 'done' && <span class="copied">Copied</span>}
    </button>
  )
}

/** Copies the request of a widget as a curl command. */
export function CurlButton({ path }: { readonly path: string | undefined }) {
  if (path === undefined) return null
  return (
    <CopyButton icon="terminal" label="Copy as curl" text={() => curlCommand(base, path, token.value !== undefined)} />
  )
}
