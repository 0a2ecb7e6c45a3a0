import { describe, expect, it } from 'vitest'
import { element, printXml, textElement } from './xml.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

describe('printXml', () => {
  it('escapes what others wrote, in texts and attributes', () => {
    const tree = element('a', { href: `x?a=1&b="2"<'\t\n` }, [`1 < 2 && "3" > ']]>'\r`])
    expect(printXml(tree, false)).toBe(
      `${HEAD}<a href="x?a=1&amp;b=&quot;2&quot;&lt;'&#9;&#10;">1 &lt; 2 &amp;&amp; &quot;3&quot; &gt; ']]&gt;'&#13;</a>\n`,
    )
  })

  it('replaces what XML cannot hold, and nothing else', () => {
    expect(printXml(element('a', {}, ['\u0000\u000b\ud800\uffff \t\n\u{1f30d}\udc00']), false)).toBe(
      `${HEAD}<a>\ufffd\ufffd\ufffd\ufffd \t\n\u{1f30d}\ufffd</a>\n`,
    )
  })

  it('indents elements, never texts', () => {
    const tree = element('a', {}, [element('b', {}, ['t']), element('c', {}, [element('d')])])
    expect(printXml(tree, true)).toBe(`${HEAD}<a>\n  <b>t</b>\n  <c>\n    <d/>\n  </c>\n</a>\n`)
    const mixed = element('a', {}, ['t', element('b', {}, [element('c')])])
    expect(printXml(mixed, true)).toBe(`${HEAD}<a>t<b><c/></b></a>\n`)
  })
})

it('leaves out attributes and elements without a value', () => {
  expect(element('a', { x: undefined, y: '' }).attributes).toEqual({ y: '' })
  expect([textElement('a', undefined), textElement('a', '')]).toEqual([[], []])
})
