import sax from 'sax'
import { InputFault } from '../../source/input-fault.ts'
import { TextReader } from '../../source/text-encoding.ts'

/** Receives the elements of an XML file; names are without prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string, text: string): void
}

const DEEPEST = 200
const LONGEST_TEXT = 100 * 1024 * 1024

/** Parses XML as it arrives; yields after each chunk, so that the caller can take what the handler collected. */
export async function* parseXml(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = sax.parser(true)
  let text = ''
  let depth = 0
  parser.onopentag = ({ name: tag, attributes }) => {
    depth += 1
    if (depth > DEEPEST) throw new InputFault(`${name} is nested deeper than ${DEEPEST} elements.`)
    text = ''
    const given = Object.entries(attributes).map(([key, value]) => [withoutPrefix(key), String(value)])
    handler.open(withoutPrefix(tag), Object.fromEntries(given))
  }
  const add = (more: string): void => {
    text += more
    if (text.length > LONGEST_TEXT) throw new InputFault(`${name} has a text longer than ${LONGEST_TEXT} characters.`)
  }
  parser.ontext = add
  parser.oncdata = add
  parser.onclosetag = (tag) => {
    depth -= 1
    handler.close(withoutPrefix(tag), text)
    text = ''
  }
  parser.onerror = (error) => {
    throw new InputFault(`${name} is not valid XML: ${error.message.split('\n')[0]} in line ${parser.line + 1}.`)
  }
  let reader: TextReader | undefined
  for await (const chunk of chunks) {
    reader ??= new TextReader(chunk, declaredEncoding(chunk))
    parser.write(reader.read(chunk))
    yield
  }
  parser.write(reader?.end() ?? '').close()
  yield
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

const declaredEncoding = (start: Uint8Array): string | undefined =>
  /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(Buffer.from(start.subarray(0, 200)).toString('latin1'))?.[1]
