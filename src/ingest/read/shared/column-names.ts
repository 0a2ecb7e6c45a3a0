/** Returns a distinct name for each heading: an empty one is numbered, a repeated one gets a number at its end. */
export function nameColumns(cells: readonly string[]): readonly string[] {
  const used = new Set<string>()
  return cells.map((cell, index) => {
    const heading = cell.trim().replace(/\s+/g, ' ')
    const wanted = heading === '' ? `column_${index + 1}` : heading
    let name = wanted
    for (let n = 2; used.has(name); n++) name = `${wanted}_${n}`
    used.add(name)
    return name
  })
}

/** Sentences about headings that were changed. */
export function notesOfNames(cells: readonly string[], names: readonly string[]): readonly string[] {
  const changed = names.flatMap((name, at) => (name === (cells[at] ?? '').trim() ? [] : [name]))
  return changed.length === 0 ? [] : [`Empty or repeated headings are named ${changed.join(', ')}.`]
}
