/** Characters of the end that stay visible. */
const END = 10

/** A name that is cut in the middle if there is no room, because names often differ at the end only. */
export function MiddleCut({ text }: { readonly text: string }) {
  const signs = [...text]
  const at = signs.length > 2 * END ? signs.length - END : signs.length
  return (
    <span class="middle-cut">
      <span>{signs.slice(0, at).join('')}</span>
      {at < signs.length && <span>{signs.slice(at).join('')}</span>}
    </span>
  )
}
