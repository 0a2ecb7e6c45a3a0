/** The paths that may be tagged, of the comma-separated list of a collection. */
export function taggablePaths(list: string | undefined): ReadonlySet<string> {
  const paths = (list ?? '').split(',').map((path) => path.trim())
  return new Set(paths.filter((path) => path !== ''))
}
