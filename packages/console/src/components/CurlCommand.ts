import { serviceUrl } from "../app/Client.js"

/** A curl command that posts JSON to a path of the API. `$KEY` is the API key. */
export const curlCommand = (path: string, body: unknown): string =>
  `curl ${serviceUrl}/v1${path} \\
  -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`
