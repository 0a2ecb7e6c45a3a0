export type Damage = 'missing' | 'truncated' | 'foreign' | 'version' | 'checksum' | 'directory'

const SENTENCES: Readonly<Record<Damage, string>> = {
  missing: 'does not exist',
  truncated: 'is incomplete',
  foreign: 'is not a segment file',
  version: 'has another format version',
  checksum: 'has a wrong checksum',
  directory: 'has an inconsistent directory',
}

/** A segment file that cannot be used. The segment must be built again from the database. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment'
  readonly path: string
  readonly damage: Damage

  constructor(path: string, damage: Damage) {
    super(`The segment file ${path} ${SENTENCES[damage]}`)
    this.path = path
    this.damage = damage
  }
}
