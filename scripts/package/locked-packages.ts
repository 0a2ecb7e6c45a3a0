import type { LockedPackage, Packages } from './licenses.ts'

/** Places of the packages that these ones need, themselves included, as Node resolves them. */
export function closureOf(packages: Packages, names: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const waiting = names.map((name) => placeOf(packages, name, ''))
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const one = packages[place]
    if (one === undefined || found.has(place)) continue
    found.add(place)
    const needed = { ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies }
    for (const name of Object.keys(needed)) waiting.push(placeOf(packages, name, place))
  }
  return [...found].sort()
}

function placeOf(packages: Packages, name: string, from: string): string {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (from === '' || packages[place] !== undefined) return place
  return placeOf(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

/** A lock file entry for a tree without development packages. */
export function asProduction(one: LockedPackage): LockedPackage {
  const { dev: _dev, devOptional: _devOptional, peer: _peer, ...kept } = one
  return kept
}
