import { SettingsFault } from '../../config/setting-value.ts'

/** Parses `egress.ports` (numbers and ranges) into a test for ports. */
export function portList(texts: readonly string[]): (port: number) => boolean {
  const ranges = texts.map((text) => {
    const [first = Number.NaN, last = first] = text.split('-').map(Number)
    if (!(first <= last && last <= 65_535))
      throw new SettingsFault(`egress.ports must contain port numbers and ranges, got '${text}'`)
    return { first, last }
  })
  return (port) => ranges.some(({ first, last }) => port >= first && port <= last)
}
