/** Characters of the end that stay visible. */
const END = 10

/** A name that is cut in the middle if there is no room, because names often differ at the end only. */
export function MiddleCut({ text }: { readonly text: string }) {
  const signs = [...text]
  const at = signs.length - END
  if (at <= END) return <span class="cut">{text}</span>
  return (
    <>
      <span class="unseen">{text}</span>
      <span class="middle-cut" aria-hidden="true">
        <span class="cut">{signs.slice(0, at).join('')}</span>
        <span class="cut">{signs.slice(at).join('')}</span>
      </span>
    </>
  )
}
