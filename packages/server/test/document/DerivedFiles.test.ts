import { readFileSync } from "node:fs"
import { makeDocument } from "@switchboard/api/openapi/Document"
import { operationsTable } from "@switchboard/api/openapi/OperationsTable"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { settingsTable } from "@switchboard/server/settings/SettingsTable"
import { assert, describe, it } from "vitest"

const contentOf = (file: string) => readFileSync(repositoryFile(file), "utf8")

describe("The files that `npm run openapi` writes are those of the declarations", () => {
  it("packages/api/openapi.json", () => {
    const document = makeDocument("http://127.0.0.1:3000", JSON.parse(contentOf("package.json")).version)
    assert.strictEqual(contentOf("packages/api/openapi.json"), `${JSON.stringify(document, null, 2)}\n`)
  })

  it.each([
    ["packages/api/README.md", operationsTable],
    ["docs/settings.md", settingsTable]
  ])("%s", (file, table) => {
    assert.include(contentOf(file), `\n\n${table}\n\n`)
  })
})
