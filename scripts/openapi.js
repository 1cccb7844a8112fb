// Writes the files that are derived from declarations: packages/api/openapi.json, the table of operations in
// packages/api/README.md, and the table of settings in docs/settings.md. With --check it only reports outdated files.
import { readFileSync, writeFileSync } from "node:fs"
import { makeDocument } from "../packages/api/dist/openapi/Document.js"
import { operationsTable } from "../packages/api/dist/openapi/OperationsTable.js"
import { settingsTable } from "../packages/server/dist/settings/SettingsTable.js"

/** Replaces the text between the two comments that enclose a table. */
const withTable = (name, table) => (current) => {
  const start = `<!-- ${name}: npm run openapi -->`
  const end = `<!-- end of ${name} -->`
  return `${current.slice(0, current.indexOf(start))}${start}\n\n${table}\n\n${current.slice(current.indexOf(end))}`
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** The server's URL with default settings. A running server writes its PUBLIC_URL. */
const defaultUrl = "http://127.0.0.1:3000"

/** Functions that derive the text of each file from its current text. */
const derived = {
  "packages/api/openapi.json": () => `${JSON.stringify(makeDocument(defaultUrl, version), null, 2)}\n`,
  "packages/api/README.md": withTable("operations", operationsTable),
  "docs/settings.md": withTable("settings", settingsTable)
}

for (const [name, textOf] of Object.entries(derived)) {
  const file = new URL(`../${name}`, import.meta.url)
  const current = readFileSync(file, "utf8")
  const text = textOf(current)
  if (text === current) continue
  if (process.argv.includes("--check")) {
    process.stderr.write(`${name} differs from its declaration: run npm run openapi\n`)
    process.exitCode = 1
  } else {
    writeFileSync(file, text)
  }
}
