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

/** Used if the pages were not built. */
export const apiRedirect = {
  tags,
  operationId: 'getApiPage',
  summary: 'Redirect to the OpenAPI document',
  response: { 302: { type: 'null', description: 'Redirect.' } },
}

/** Used if the pages were not built. */
export const redirect = {
  tags,
  operationId: 'getExplorer',
  summary: 'Redirect to the status page',
  response: { 302: { type: 'null', description: 'Redirect.' } },
}

/** Scripts, style sheets and images of the pages: names that only the pages know. */
export const explorerFile = { hide: true }
