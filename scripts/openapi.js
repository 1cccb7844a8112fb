// Writes the description of the interface to packages/api/openapi.json; with --check it only says whether that is current.
import { readFileSync, writeFileSync } from "node:fs"
import { document } from "../packages/api/dist/openapi/Document.js"

const file = new URL("../packages/api/openapi.json", import.meta.url)
const text = `${JSON.stringify(document, null, 2)}\n`

if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== text) {
    process.stderr.write("packages/api/openapi.json is not what the declaration says: run npm run openapi\n")
    process.exit(1)
  }
} else {
  writeFileSync(file, text)
}
