/** Field patterns of `include`, `exclude` and `exclude_fields` (spec 5.3.1). */
export interface FieldPatterns {
  /** The trimmed patterns as written; may be empty. */
  readonly patterns: readonly string[]
  /** True if a pattern matches the whole path, or the whole path of an ancestor. */
  selects(path: string): boolean
}

/** Parses a comma-separated list of patterns; blanks around items and empty items are ignored. */
export function compilePatterns(text: string | undefined): FieldPatterns {
  const patterns = (text ?? '')
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '')
  return fieldPatterns(patterns)
}

/** As `compilePatterns`, for patterns that are already split. */
export function fieldPatterns(patterns: readonly string[]): FieldPatterns {
  const exact = new Set(patterns.filter((p) => !p.includes('*')))
  const globs = patterns.filter((p) => p.includes('*')).map((p) => p.split('*'))
  const matches = (path: string): boolean => exact.has(path) || globs.some((g) => matchesGlob(g, path))
  return {
    patterns,
    selects(path) {
      if (patterns.length === 0) return false
      for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
        if (matches(path.slice(0, dot))) return true
      }
      return matches(path)
    },
  }
}

/**
 * `pieces` is the pattern split at `*`. Each piece is matched at its first occurrence, so no backtracking is needed.
 */
function matchesGlob(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return at <= end
}
