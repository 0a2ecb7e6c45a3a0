import { mapInTurns } from '../../turn.ts'

/** Shorter lists are printed in less than a turn. */
const LONG = 200
const INDENT = '  '

export function printJson(value: unknown, pretty: boolean): string {
  return pretty ? JSON.stringify(value, null, INDENT) : JSON.stringify(value)
}

/** The same text; the members of a long list, which large answers have directly below their top, are printed in turns. */
export async function printJsonInTurns(value: unknown, pretty: boolean): Promise<string> {
  if (!isRecord(value) || !Object.values(value).some(isLong)) return printJson(value, pretty)
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    const text = isLong(member) ? await printList(member, pretty) : printAt(1, member, pretty)
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${pretty ? ' ' : ''}${text}`)
  }
  return `{${joinAt(1, members, pretty)}}`
}

async function printList(list: readonly unknown[], pretty: boolean): Promise<string> {
  const items = await mapInTurns(list, (item) => printAt(2, item, pretty) ?? 'null')
  return `[${joinAt(2, items, pretty)}]`
}

/** A value so many levels below the top. Line feeds in texts are escaped, so every one begins a line. */
const printAt = (depth: number, value: unknown, pretty: boolean): string | undefined =>
  pretty ? printJson(value, true)?.replaceAll('\n', `\n${INDENT.repeat(depth)}`) : JSON.stringify(value)

/** What stands between the brackets of items printed at a depth. */
function joinAt(depth: number, items: readonly string[], pretty: boolean): string {
  if (!pretty) return items.join(',')
  const line = `\n${INDENT.repeat(depth)}`
  return `${line}${items.join(`,${line}`)}\n${INDENT.repeat(depth - 1)}`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONG
