import { holding } from '../condition/snapshot.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * Publishes changes of tables, all at once. If others publish one of the tables while `change` waits for a file, the
 * changes are made again, to the new tables. What `change` reads is in memory by then, so this ends soon. `onPublished`
 * is called together with it, before anything else can run.
 */
export async function publishTables(
  tables: Map<string, IndexTable>,
  names: readonly string[],
  change: (now: IndexTable) => Promise<IndexTable>,
  onPublished: () => void = () => undefined,
): Promise<void> {
  for (;;) {
    const current = names.map((name) => tableNamed(tables, name))
    const changed: IndexTable[] = []
    await holding(current, async () => {
      for (const now of current) changed.push(await change(now))
    })
    if (current.some((now) => tables.get(now.name) !== now)) continue
    for (const table of changed) tables.set(table.name, table)
    onPublished()
    return
  }
}

function tableNamed(tables: ReadonlyMap<string, IndexTable>, name: string): IndexTable {
  const table = tables.get(name)
  if (!table) throw new Error(`there is no index ${name}`)
  return table
}
