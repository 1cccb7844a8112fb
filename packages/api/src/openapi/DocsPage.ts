import { createHash } from "node:crypto"

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem }
p { white-space: pre-line }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8884; border-radius: 0.375rem }
details { border: 1px solid #8884; border-radius: 0.5rem; margin: 0.5rem 0; padding: 0.5rem 0.75rem }
summary { cursor: pointer; display: flex; gap: 0.75rem; align-items: baseline; flex-wrap: wrap }
summary b { min-width: 4.5rem } small { opacity: 0.7 }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid #8884; padding: 0.25rem 0.5rem 0.25rem 0; vertical-align: top }`

/** Builds the page with text nodes only: the document is never parsed as HTML. */
const script = `
const api = JSON.parse(document.getElementById("document").textContent)
const el = (name, ...children) => { const node = document.createElement(name); node.append(...children); return node }
const name = (schema) => schema === undefined ? "" : schema.$ref ? schema.$ref.split("/").pop() : schema.type === "array" ? name(schema.items) + "[]" : schema.anyOf ? schema.anyOf.map(name).join(" or ") : schema.enum ? schema.enum.join(", ") : schema.type ?? "any"
const rows = (pairs) => { const table = el("table"); for (const cells of pairs) table.append(el("tr", ...cells.map((cell) => el("td", cell)))); return table }
const json = (content) => content?.["application/json"]
const root = document.getElementById("operations")
const byTag = new Map()
for (const [path, methods] of Object.entries({ ...api.paths, ...api.webhooks })) for (const [method, operation] of Object.entries(methods)) {
  const tag = operation.tags?.[0] ?? ""
  if (!byTag.has(tag)) byTag.set(tag, [])
  byTag.get(tag).push({ path, method, operation })
}
for (const [tag, operations] of byTag) {
  root.append(el("h2", tag))
  for (const { path, method, operation } of operations) {
    const details = el("details", el("summary", el("b", method.toUpperCase()), el("code", path), el("span", operation.summary ?? ""), el("small", operation["x-permission"] ?? "")))
    details.append(el("p", operation.description ?? ""))
    if (operation.parameters?.length) details.append(el("h4", "Parameters"), rows(operation.parameters.map((p) => [el("code", p.name), p.in, name(p.schema), p.description ?? "", p.required ? "required" : ""])))
    const body = json(operation.requestBody?.content)
    if (body) { details.append(el("h4", "Body: " + name(body.schema))); if (body.example) details.append(el("pre", JSON.stringify(body.example, null, 2))) }
    details.append(el("h4", "Responses"), rows(Object.entries(operation.responses).map(([status, response]) => [status, response.description ?? "", name(json(response.content)?.schema)])))
    root.append(details)
  }
}
root.append(el("h2", "Schemas"))
for (const [key, schema] of Object.entries(api.components.schemas)) {
  const details = el("details", el("summary", el("code", key), el("small", schema.description ?? "")))
  if (schema.properties) details.append(rows(Object.entries(schema.properties).map(([field, type]) => [el("code", field), name(type), type.description ?? "", schema.required?.includes(field) ? "required" : ""])))
  else details.append(el("pre", JSON.stringify(schema, null, 2)))
  root.append(details)
}`

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** A Content-Security-Policy that allows only the style and the script of the page. */
export const docsPolicy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; frame-ancestors 'none'`

/** An HTML page of the document that loads no other resource. */
export const docsPage = (documentJson: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Switchboard API</title><style>${style}</style></head>
<body><h1>Switchboard API</h1><p>The document itself: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
<div id="operations"></div>
<script type="application/json" id="document">${documentJson.replaceAll("<", "\\u003c")}</script>
<script>${script}</script></body></html>
`
