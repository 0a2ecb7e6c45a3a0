// Renders the OpenAPI document of this server in the browser. Inserts everything as text, never as markup.

const root = new URL(location.href.replace(/\/docs\/?(?:[?#].*)?$/, '/'))
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(key, value)
  }
  node.append(...children.filter((child) => child !== undefined))
  return node
}

/** Splits `code` spans from text; the only inline Markdown in the document. */
function line(text) {
  const parts = String(text ?? '').split('`')
  return parts.map((part, i) => (i % 2 === 1 ? element('code', {}, part) : part))
}

function table(head, rows) {
  const cells = (name, row) => element('tr', {}, ...row.map((cell) => element(name, {}, ...[cell].flat())))
  return element(
    'div',
    { class: 'scroll' },
    element('table', {}, cells('th', head), ...rows.map((row) => cells('td', row))),
  )
}

/** Renders the Markdown of the description: paragraphs, `##` headings and tables. */
function prose(markdown) {
  return String(markdown ?? '')
    .split(/\n\n+/)
    .map((block) => {
      if (block.startsWith('## ')) return element('h2', {}, block.slice(3))
      if (!block.startsWith('|')) return element('p', {}, ...line(block))
      const rows = block.split('\n').map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => line(cell.trim())),
      )
      return table(rows[0], rows.slice(2))
    })
}

function resolver(api) {
  return (schema) => {
    const path = schema?.$ref?.split('/').slice(1)
    return path === undefined ? schema : path.reduce((node, key) => node?.[key], api)
  }
}

/** True if the member or its schema is marked as deprecated. */
const isDeprecated = (node, resolve) => node.deprecated === true || resolve(node)?.deprecated === true

/** True if a schema has deprecated members, at any depth. */
function hasDeprecated(schema, resolve, seen = []) {
  const plain = resolve(schema) ?? {}
  if (seen.includes(plain)) return false
  const members = Object.values(plain.properties ?? {})
  if (members.some((member) => isDeprecated(member, resolve))) return true
  const below = [...members, ...(plain.anyOf ?? []), plain.items, plain.additionalProperties]
  return below.some((next) => typeof next === 'object' && hasDeprecated(next, resolve, [...seen, plain]))
}

const folded = (title, ...children) =>
  element('details', { class: 'deprecated' }, element('summary', {}, title), ...children)

/** The text of a schema. Collapsed below it: the text including deprecated members. */
function schemaBlocks(schema, resolve) {
  const blocks = [element('pre', {}, schemaText(schema, current(resolve)))]
  if (!hasDeprecated(schema, resolve)) return blocks
  return [...blocks, folded('With deprecated members', element('pre', {}, schemaText(schema, resolve)))]
}

/** Resolves schemas without their deprecated members. Returns the same object for the same schema. */
function current(resolve) {
  const known = new Map()
  return (schema) => {
    const plain = resolve(schema)
    if (plain?.properties === undefined) return plain
    if (!known.has(plain)) {
      const kept = Object.entries(plain.properties).filter(([, member]) => !isDeprecated(member, resolve))
      known.set(plain, { ...plain, properties: Object.fromEntries(kept) })
    }
    return known.get(plain)
  }
}

/** Prints a schema as indented text, one line per member. */
function schemaText(schema, resolve, depth = 0, seen = []) {
  const plain = resolve(schema) ?? {}
  const indent = '  '.repeat(depth + 1)
  if (seen.includes(plain) || depth > 8) return '...'
  const inner = (next) => schemaText(next, resolve, depth + 1, [...seen, plain])
  if (plain.anyOf) return plain.anyOf.map((option) => schemaText(option, resolve, depth, [...seen, plain])).join(' | ')
  if (plain.const !== undefined) return JSON.stringify(plain.const)
  if (plain.enum) return plain.enum.map((word) => JSON.stringify(word)).join(' | ')
  if ([plain.type].flat().includes('array')) return `[${schemaText(plain.items, resolve, depth, [...seen, plain])}]`
  if (plain.properties) {
    const members = Object.entries(plain.properties).map(([name, member]) => {
      const optional = plain.required?.includes(name) ? '' : '?'
      const note = resolve(member)?.description
      return `${indent}${name}${optional}: ${inner(member)}${note ? `  // ${note}` : ''}`
    })
    return `{\n${members.join('\n')}\n${'  '.repeat(depth)}}`
  }
  if (typeof plain.additionalProperties === 'object') return `{ [key]: ${inner(plain.additionalProperties)} }`
  return [plain.type ?? 'any'].flat().join(' | ')
}

function typeText(schema, resolve) {
  const plain = resolve(schema) ?? {}
  const parts = [schemaText(schema, resolve)]
  if (plain.minimum !== undefined) parts.push(`>= ${plain.minimum}`)
  if (plain.maximum !== undefined) parts.push(`<= ${plain.maximum}`)
  if (plain.default !== undefined) parts.push(`default ${JSON.stringify(plain.default)}`)
  return parts.join(', ')
}

function exampleOf(parameter, resolve) {
  const schema = resolve(parameter.schema) ?? {}
  return parameter.example ?? schema.examples?.[0]
}

/** Returns the URL of an operation with the values filled in: `{ name: [values] }`. */
function operationUrl(path, parameters, values) {
  const filled = path.replace(/\{([^}]+)\}/g, (whole, name) => {
    const value = values[name]?.[0]
    return value ? encodeURIComponent(value) : whole
  })
  const url = new URL(filled.replace(/^\//, ''), root)
  for (const parameter of parameters.filter(({ in: place }) => place === 'query')) {
    for (const value of values[parameter.name] ?? []) url.searchParams.append(parameter.name, value)
  }
  return url
}

function curlText(method, path, operation, parameters, resolve) {
  const values = {}
  for (const parameter of parameters) {
    if (parameter.in !== 'query') continue
    const example = exampleOf(parameter, resolve)
    if (example !== undefined) values[parameter.name] = [example].flat().map(String)
  }
  for (const { name } of parameters.filter(isPath)) values[name] = [name.toUpperCase()]
  const { href } = operationUrl(path, parameters, values)
  const url = href.replaceAll('+', '%20').replaceAll('%3A', ':').replaceAll('%2C', ',')
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `
  const content = operation.requestBody?.content ?? {}
  const [type, body] = Object.entries(content)[0] ?? []
  if (type === undefined) return `curl ${verb}'${url}'`
  if (type === 'multipart/form-data') return `curl '${url}' -F file=@FILE`
  const schema = resolve(body.schema) ?? {}
  const example = body.example ?? schema.examples?.[0] ?? (schema.type === 'object' ? {} : 'text')
  const text = typeof example === 'string' ? example : JSON.stringify(example)
  return `curl ${verb}'${url}' \\\n  -H 'Content-Type: ${type}' \\\n  -d '${text.replaceAll("'", "'\\''")}'`
}

function field(parameter, resolve) {
  const schema = resolve(parameter.schema) ?? {}
  const attributes = { name: parameter.name, placeholder: String(exampleOf(parameter, resolve) ?? '') }
  if (parameter.required) attributes.required = ''
  if (schema.type === 'array') return element('textarea', { ...attributes, rows: '2', title: 'One value per line' })
  const words = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (words === undefined) return element('input', attributes)
  const options = ['', ...words].map((word) => element('option', { value: word }, word))
  return element('select', { name: parameter.name }, ...options)
}

function tryForm(path, parameters, resolve) {
  const form = element('form', { class: 'try' })
  const label = (parameter) => element('label', {}, element('span', {}, parameter.name), field(parameter, resolve))
  const old = parameters.filter((parameter) => parameter.deprecated)
  form.append(...parameters.filter((parameter) => !parameter.deprecated).map(label))
  if (old.length > 0) form.append(folded('Deprecated', ...old.map(label)))
  const outcome = element('p', { class: 'outcome' })
  const answer = element('pre', { class: 'answer', hidden: '' })
  form.append(element('button', { type: 'submit' }, 'Send'))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const values = {}
    for (const [name, text] of new FormData(form)) {
      values[name] = String(text)
        .split('\n')
        .filter((value) => value !== '')
    }
    await send(operationUrl(path, parameters, values), outcome, answer)
  })
  return element('div', {}, form, outcome, answer)
}

async function send(url, outcome, answer) {
  const start = performance.now()
  outcome.className = 'outcome'
  outcome.textContent = `GET ${url.pathname}${url.search}`
  try {
    const response = await fetch(url)
    const text = await response.text()
    const ms = Math.round(performance.now() - start)
    outcome.textContent = `${response.status} ${response.statusText} in ${ms} ms: GET ${url.pathname}${url.search}`
    outcome.classList.toggle('failed', !response.ok)
    answer.textContent = readable(text, response.headers.get('content-type') ?? '')
  } catch (error) {
    outcome.classList.add('failed')
    outcome.textContent = `The request failed: ${error.message}`
    answer.textContent = ''
  }
  answer.hidden = answer.textContent === ''
}

function readable(text, type) {
  const shown = type.includes('json') && text !== '' ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length > 200_000 ? `${shown.slice(0, 200_000)}\n...` : shown
}

const isPath = (parameter) => parameter.in === 'path'
const isInUrl = (parameter) => parameter.in === 'path' || parameter.in === 'query'

function draw(method, path, operation, shared, resolve) {
  const all = [...shared, ...(operation.parameters ?? [])].map(resolve)
  const parameters = [...all.filter(isPath), ...all.filter((parameter) => !isPath(parameter))]
  const parts = [...prose(operation.description ?? '')]
  if (parameters.length > 0) {
    const row = (parameter) => [
      [element('code', {}, parameter.name), parameter.required ? ' required' : ''],
      parameter.in,
      typeText(parameter.schema, resolve),
      line(parameter.description ?? resolve(parameter.schema)?.description),
    ]
    const head = ['name', 'in', 'type', 'meaning']
    const old = parameters.filter((parameter) => parameter.deprecated)
    const others = parameters.filter((parameter) => !parameter.deprecated)
    parts.push(element('h4', {}, 'Parameters'), table(head, others.map(row)))
    if (old.length > 0) parts.push(folded('Deprecated parameters', table(head, old.map(row))))
  }
  for (const [type, body] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(element('h4', {}, `Body, ${type}`), ...schemaBlocks(body.schema, resolve))
  }
  for (const [status, stated] of Object.entries(operation.responses ?? {})) {
    const response = resolve(stated)
    if (status >= '400') {
      parts.push(element('h4', {}, `Error ${status}`), ...prose(response.description))
      continue
    }
    const schema = Object.values(response.content ?? {})[0]?.schema
    parts.push(element('h4', {}, `Response ${status}`))
    if (schema !== undefined) parts.push(...schemaBlocks(schema, resolve))
  }
  parts.push(element('h4', {}, 'Example'))
  parts.push(element('pre', {}, curlText(method, path, operation, parameters, resolve)))
  if (method === 'get') parts.push(element('h4', {}, 'Try it'), tryForm(path, parameters.filter(isInUrl), resolve))
  return element('div', {}, ...parts)
}

function operationElement(method, path, item, resolve) {
  const operation = item[method]
  const summary = element(
    'summary',
    {},
    element('span', { class: `method ${method}` }, method.toUpperCase()),
    element('span', { class: 'path' }, path),
    element('span', { class: 'summary' }, operation.summary ?? ''),
  )
  const details = element('details', { class: 'operation', id: `${method}${path}` }, summary)
  details.dataset.words = `${method} ${path} ${operation.summary ?? ''} ${operation.description ?? ''}`.toLowerCase()
  // Rendered when first opened, because most never are.
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) {
      details.append(draw(method, path, operation, item.parameters ?? [], resolve))
    }
  })
  return details
}

function show(api) {
  const resolve = resolver(api)
  const target = document.getElementById('operations')
  target.replaceChildren()
  for (const tag of api.tags ?? []) {
    const section = element('section', {}, element('h2', {}, tag.name), element('p', {}, ...line(tag.description)))
    for (const [path, item] of Object.entries(api.paths)) {
      for (const method of METHODS) {
        if (item[method]?.tags?.includes(tag.name)) section.append(operationElement(method, path, item, resolve))
      }
    }
    if (section.querySelector('details')) target.append(section)
  }
  target.append(...prose(api.info.description))
  const opened = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (opened !== null) opened.open = true
}

function filter(text) {
  const words = text.toLowerCase().split(/\s+/)
  for (const section of document.querySelectorAll('#operations section')) {
    const operations = [...section.querySelectorAll('details.operation')]
    for (const details of operations) details.hidden = !words.every((word) => details.dataset.words.includes(word))
    section.hidden = operations.every((details) => details.hidden)
  }
}

document.getElementById('search').addEventListener('input', (event) => filter(event.target.value))

fetch(new URL('openapi.json', root))
  .then((response) => response.json())
  .then(show)
  .catch((error) => {
    document.getElementById('operations').textContent = `The description could not be loaded: ${error.message}`
  })
