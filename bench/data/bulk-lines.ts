/** Returns the bulk lines that write a document; the index is that of the request if none is given. */
export function indexLines(document: { readonly id: string }, index?: string): string {
  const action = { index: { ...(index === undefined ? {} : { _index: index }), _id: document.id } }
  return `${JSON.stringify(action)}\n${JSON.stringify(document)}\n`
}

export const deleteLine = (id: string): string => `${JSON.stringify({ delete: { _id: id } })}\n`
