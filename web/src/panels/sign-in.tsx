import { useState } from 'preact/hooks'
import { signIn, signInWanted } from '../api/session.ts'
import { Modal } from '../parts/modal.tsx'

/** Dialog for the API key or token. */
export function SignIn({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  return (
    <Modal title="Sign in" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '') return
          signIn(text.trim())
          onClose()
        }}
      >
        <p class="soft">
          {signInWanted.value ? 'This server requires authentication. ' : ''}Your API key or token is kept in this tab
          only, until it is closed.
        </p>
        <label>
          Key or token
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="row end">
          <button type="submit" class="button primary" disabled={text.trim() === ''}>
            Sign in
          </button>
        </div>
      </form>
    </Modal>
  )
}
