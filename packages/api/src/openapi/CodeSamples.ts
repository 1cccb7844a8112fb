import { Predicate } from "effect"
import { sessionCookie } from "../sessions/SessionsApi.js"
import type { DocumentedOperation } from "./CompleteOperation.js"

/** The shell variable for a value that the reader fills in: `$WEBHOOK_ID` for `webhookId`. */
const variable = (name: string) => `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The URL with the required parameters. */
const sampleUrl = (url: string, { parameters }: DocumentedOperation["operation"]) => {
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => variable(name))
  const required = parameters.filter((parameter) => parameter.in === "query" && parameter.required)
  const query = required.map(({ name }) => `${name}=${variable(name)}`).join("&")
  return query === "" ? filled : `${filled}?${query}`
}

/** The options for a request body: the example as JSON, or a file. */
const bodyOptions = ({ example, operation }: DocumentedOperation) => {
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  switch (type) {
    case undefined:
      return []
    case "application/json":
      return example.request === undefined
        ? []
        : [`-H 'Content-Type: ${type}'`, `-d ${quoted(JSON.stringify(example.request, null, 2))}`]
    case "*/*":
      return ["--data-binary @file"]
    default:
      return [`-H 'Content-Type: ${type}'`, "--data-binary @file"]
  }
}

/** The options for the API key, or for the cookie and the CSRF token of an operation that takes only a session. */
const credentialOptions = ({ method, rule }: DocumentedOperation) => {
  if (rule?.credentials.includes("apiKey") === true) return ['-H "X-API-Key: $KEY"']
  if (rule?.credentials.includes("session") !== true) return []
  return [`-b "${sessionCookie}=$SESSION"`, ...(method === "get" ? [] : ['-H "X-CSRF-Token: $CSRF_TOKEN"'])]
}

const isStream = ({ operation }: DocumentedOperation) =>
  Object.values(operation.responses).some(({ content }) => Predicate.hasProperty(content, "text/event-stream"))

/**
 * The shortest command that sends a request of the operation, for the extension `x-codeSamples`. Samples that a tool
 * derives from the document have every optional parameter. `url` has its path parameters in braces.
 */
export const codeSamples = (url: string, documented: DocumentedOperation) => {
  const { method, operation } = documented
  const body = bodyOptions(documented)
  const isDefault = method === "get" || (method === "post" && body.length > 0)
  const source = [
    ["curl", ...(isDefault ? [] : ["-X", method.toUpperCase()]), `"${sampleUrl(url, operation)}"`].join(" "),
    ...credentialOptions(documented),
    ...(isStream(documented) ? ["-N"] : []),
    ...body
  ].join(" \\\n  ")
  return [{ lang: "curl", label: "curl", source }]
}
