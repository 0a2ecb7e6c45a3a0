/** Where a node is, and the credentials that were written into its URL. */
export interface NodeAddress {
  /** Without credentials. */
  readonly url: URL
  readonly credentials?: { readonly username: string; readonly password: string }
}

/** Takes the credentials out of a URL, so that no message can show them. */
export function readNodeAddress(text: string): NodeAddress {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url }
  return { url, credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
}
