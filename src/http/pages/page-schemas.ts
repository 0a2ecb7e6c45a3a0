/** OpenAPI descriptions of the HTML pages. */

const tags = ['Server']

const html = (description: string) => ({ description, content: { 'text/html': { schema: { type: 'string' } } } })

export const statusPage = {
  tags,
  operationId: 'getStatusPage',
  summary: 'Status page with the list of collections',
  response: { 200: html('The page.') },
}

export const apiPage = {
  tags,
  operationId: 'getApiPage',
  summary: 'API reference page',
  response: { 200: html('The page.') },
}

export const explorer = {
  tags,
  operationId: 'getExplorer',
  summary: 'Explorer page',
  response: { 200: html('The page.') },
}

/** Used if the explorer page was not built. */
export const redirect = {
  tags,
  operationId: 'getExplorer',
  summary: 'Redirect to the status page',
  response: { 302: { type: 'null', description: 'Redirect.' } },
}

export const explorerFile = {
  tags,
  operationId: 'getExplorerFile',
  summary: 'A script, style sheet or image of the explorer page',
  params: { type: 'object', properties: { file: { type: 'string', description: 'Name of the file.' } } },
  response: {
    200: {
      description: 'The file.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    },
  },
}
