/** A command for a shell that asks the same; the token is left for whoever runs it to fill in. */
export function curlCommand(base: string, path: string, signed: boolean): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const header = signed ? `-H "Authorization: Bearer $TOKEN" ` : ''
  return `curl ${header}${quote(new URL(path, base).href)}`
}
