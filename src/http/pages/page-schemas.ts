/** OpenAPI descriptions of the HTML pages. */

const tags = ['Server']

const html = (description: string) => ({ description, content: { 'text/html': { schema: { type: 'string' } } } })

export const statusPage = {
  tags,
  operationId: 'getStatusPage',
  summary: 'A page that lists the collections',
  response: { 200: html('The page.') },
}

export const apiPage = {
  tags,
  operationId: 'getApiPage',
  summary: 'A page that shows these operations',
  response: { 200: html('The page.') },
}

export const explorer = {
  tags,
  operationId: 'getExplorer',
  summary: 'The page to explore collections with',
  response: { 200: html('The page.') },
}

/** Used if the explorer page was not built. */
export const redirect = {
  tags,
  operationId: 'getExplorer',
  summary: 'Leads to the page that lists the collections',
  response: { 302: { type: 'null', description: 'The page is elsewhere.' } },
}

export const explorerFile = {
  tags,
  operationId: 'getExplorerFile',
  summary: 'A script, style or picture of the page',
  params: { type: 'object', properties: { file: { type: 'string', description: 'Name of the file.' } } },
  response: {
    200: {
      description: 'The file.',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    },
  },
}
