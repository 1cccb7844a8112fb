// Writes what is derived from the declaration of the interface: packages/api/openapi.json, and the table of operations in
// packages/api/README.md. With --check it only says whether they are current.
import { readFileSync, writeFileSync } from "node:fs"
import { makeDocument } from "../packages/api/dist/openapi/Document.js"
import { operationsTable } from "../packages/api/dist/openapi/OperationsTable.js"

const start = "<!-- operations: npm run openapi -->"
const end = "<!-- end of operations -->"

/** The file's text as the declaration wants it, from what it says now. */
const derived = {
  "packages/api/openapi.json": () => `${JSON.stringify(makeDocument(), null, 2)}\n`,
  "packages/api/README.md": (now) =>
    [now.slice(0, now.indexOf(start)), start, "\n\n", operationsTable, "\n\n", now.slice(now.indexOf(end))].join("")
}

for (const [name, textOf] of Object.entries(derived)) {
  const file = new URL(`../${name}`, import.meta.url)
  const now = readFileSync(file, "utf8")
  const text = textOf(now)
  if (text === now) continue
  if (process.argv.includes("--check")) {
    process.stderr.write(`${name} is not what the declaration says: run npm run openapi\n`)
    process.exitCode = 1
  } else {
    writeFileSync(file, text)
  }
}
