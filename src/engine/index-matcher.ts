/** Returns a function that tests whether an index name matches a name or a pattern with `*`. */
export function indexMatcher(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern
  const parts = pattern.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`, 's')
  return (name) => expression.test(name)
}
