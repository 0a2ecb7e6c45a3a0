/** Parses the comma-separated list of paths that may be tagged. */
export function taggablePaths(list: string | undefined): ReadonlySet<string> {
  const paths = (list ?? '').split(',').map((path) => path.trim())
  return new Set(paths.filter((path) => path !== ''))
}
