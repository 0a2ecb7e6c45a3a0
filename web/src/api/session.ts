import { signal } from '@preact/signals'

const KEY = 'periplus-token'

/** API key or token of the requests; kept until the tab is closed. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined)

/** Set when the server requires authentication. */
export const signInWanted = signal(false)

export function signIn(text: string): void {
  sessionStorage.setItem(KEY, text)
  token.value = text
  signInWanted.value = false
}

export function signOut(): void {
  sessionStorage.removeItem(KEY)
  token.value = undefined
}

export const authorization = (): Readonly<Record<string, string>> =>
  token.value === undefined ? {} : { authorization: `Bearer ${token.value}` }
