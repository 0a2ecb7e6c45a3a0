/** Returns a curl command for the same request, with a placeholder for the token. */
export function curlCommand(base: string, path: string, signed: boolean): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  const header = signed ? `-H "Authorization: Bearer $TOKEN" ` : ''
  return `curl ${header}${quote(new URL(path, base).href)}`
}
