interface Candidate {
  readonly version: string
  readonly changelog: string
  /** Output of `git status --porcelain`. */
  readonly changed: string
  readonly tags: readonly string[]
}

/** What prevents the release of a version, as sentences. */
export function releaseFaults({ version, changelog, changed, tags }: Candidate): readonly string[] {
  const headings = [...changelog.matchAll(/^## \[([^\]]+)\](?: - (.*))?$/gm)]
  const [, newest, date = ''] = headings.find(([, name]) => name !== 'Unreleased') ?? []
  const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[)/m.exec(changelog)?.[1] ?? ''
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`package.json has the version ${version}, not MAJOR.MINOR.PATCH`]),
    ...(newest === version ? [] : [`the newest version of CHANGELOG.md is ${newest ?? 'none'}, not ${version}`]),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(date) ? [] : [`CHANGELOG.md has no date for ${newest ?? version}`]),
    ...(unreleased.trim() === '' ? [] : [`CHANGELOG.md has unreleased entries: move them to ${version}`]),
    ...(changed === '' ? [] : ['the working tree has changes: commit them']),
    ...(tags.includes(`v${version}`) ? [`the tag v${version} exists: choose a new version`] : []),
  ]
}
