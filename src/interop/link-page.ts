import type { WebLink } from './link.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A small HTML page with links, for people. */
export function linkPage(title: string, description: string, links: readonly WebLink[]): string {
  const items = links.map(({ href, title: name = href }) => `<li><a href="${escaped(href)}">${escaped(name)}</a></li>`)
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(title)}</title></head><body><h1>${escaped(title)}</h1><p>${escaped(description)}</p>`,
    `<ul>${items.join('')}</ul></body></html>\n`,
  ].join('')
}
