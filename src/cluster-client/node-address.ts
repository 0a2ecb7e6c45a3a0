/** Address of a node, and the credentials contained in its URL. */
interface NodeAddress {
  /** Without credentials. */
  readonly url: URL
  readonly credentials?: { readonly username: string; readonly password: string }
}

/** Removes the credentials from a URL, so that no message can reveal them. */
export function readNodeAddress(text: string): NodeAddress {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url }
  return { url, credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }
}
