/** Text with `code` spans, the only inline Markdown of the document. */
export function Line({ text }: { readonly text: string }) {
  const parts = text.split('`').map((part, i) => ({ part, isCode: i % 2 === 1, key: `${i} ${part}` }))
  return <>{parts.map(({ part, isCode, key }) => (isCode ? <code key={key}>{part}</code> : part))}</>
}

const cellsOf = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Markdown of descriptions: paragraphs, `##` headings and tables. */
export function Prose({ markdown }: { readonly markdown: string }) {
  return (
    <>
      {markdown.split(/\n\n+/).map((block) => {
        if (block.startsWith('## ')) return <h2 key={block}>{block.slice(3)}</h2>
        if (!block.startsWith('|')) {
          return (
            <p key={block}>
              <Line text={block} />
            </p>
          )
        }
        const [head = '', , ...rows] = block.split('\n')
        return (
          <section class="scroll" key={block} aria-label={cellsOf(head).join(', ')} {...{ tabIndex: 0 }}>
            <table>
              <thead>
                <tr>
                  {cellsOf(head).map((cell) => (
                    <th key={cell} scope="col">
                      {cell}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row}>
                    {cellsOf(row).map((cell, i) => (
                      <td key={`${i} ${cell}`}>{i === 0 ? <code>{cell}</code> : <Line text={cell} />}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      })}
    </>
  )
}
