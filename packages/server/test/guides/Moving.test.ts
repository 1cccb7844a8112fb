import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { makeResendDocument } from "@switchboard/api/resend/ResendDocument"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { submissionFields } from "@switchboard/services/email/submission/Submissions"
import { Predicate } from "effect"
import { tablesOf } from "./Guide.js"

const read = (file: string) => readFileSync(repositoryFile(file), "utf8")

const quoted = /(?<!`)`([^`\n]+)`(?!`)/g

/** Names that a document defines or describes. */
interface Names {
  readonly words: Set<string>
  readonly operations: Set<string>
}

const methods = new Set(["get", "post", "put", "patch", "delete"])

/** Adds the names of a part of an OpenAPI document: of fields, parameters, schemas and values, and those in descriptions. */
const addNames = ({ operations, words }: Names, value: unknown, key = ""): void => {
  if (typeof value === "string") {
    if (key === "name" || key === "x-permission") words.add(value.replace(/\.example\.com$/, ""))
    for (const [, name = ""] of value.matchAll(quoted)) words.add(name)
  }
  if (Array.isArray(value)) {
    for (const one of value) {
      if (key === "enum" && typeof one === "string") words.add(one)
      addNames({ operations, words }, one)
    }
  } else if (Predicate.isRecord(value)) {
    for (const [name, one] of Object.entries(value)) {
      if (key === "properties" || key === "schemas" || key === "webhooks" || key === "variables") words.add(name)
      if (key.startsWith("/") && methods.has(name)) operations.add(`${name.toUpperCase()} ${key}`)
      addNames({ operations, words }, one, name)
    }
  }
}

const namesOf = (...documents: ReadonlyArray<unknown>): Names => {
  const names: Names = { words: new Set(), operations: new Set() }
  for (const document of documents) addNames(names, document)
  // `DerivedFiles.test.ts` compares the table of settings with the code.
  addNames(names, read("docs/settings.md"))
  for (const name of submissionFields) names.words.add(name)
  return names
}

const ours = namesOf(JSON.parse(read("packages/api/openapi.json")))
const resend = namesOf(
  JSON.parse(read("packages/api/openapi.json")),
  makeResendDocument("https://mail.example.com/resend", "0.0.0")
)

/** Code in the column `here` that is no name of this service. */
const others = new Set([
  "@react-email/render",
  "+",
  "cid:",
  "data-no-track",
  "domain_id",
  "enforced",
  "false",
  "in 1 hour",
  "links.example.com",
  "plan:pro",
  "react",
  "react-dom",
  "receiving.forward",
  "switchboard queues pause",
  "webhook-id"
])

const isName = ({ operations, words }: Names, code: string): boolean => {
  if (words.has(code) || others.has(code) || code.startsWith("{{")) return true
  if (code.startsWith("/")) return [...operations].some((operation) => operation.endsWith(` ${code}`))
  const [operation = "", query = ""] = code.split("?")
  if (/^[A-Z]+ \//.test(code))
    return operations.has(operation) && [...new URLSearchParams(query).keys()].every((one) => words.has(one))
  return code.includes(".") && code.split(".").every((part) => words.has(part))
}

/** The part of the document that has the errors of sending. */
interface SendingDocument {
  readonly paths: {
    readonly "/v1/messages": {
      readonly post: { readonly responses: Readonly<Record<string, { readonly $ref: string }>> }
    }
  }
  readonly components: { readonly responses: Readonly<Record<string, unknown>> }
}

/** The status of each error of sending, by its tag. */
const errorStatuses = (): ReadonlyMap<string, string> => {
  const { components, paths }: SendingDocument = JSON.parse(read("packages/api/openapi.json"))
  return new Map(
    Object.entries(paths["/v1/messages"].post.responses).flatMap(([status, { $ref }]) => {
      const response = JSON.stringify(components.responses[$ref.replace(/^.*\//, "")])
      const [, tag = ""] = /schemas\/(\w+Error)"/.exec(response) ?? []
      return tag === "" ? [] : [[tag, status] as const]
    })
  )
}

describe("The guides for moving", () => {
  const guides = readdirSync(repositoryFile("docs")).filter((name) => name.startsWith("moving-from-"))

  for (const name of guides) {
    it(`name fields, events, errors and operations that exist: ${name}`, () => {
      const names = name === "moving-from-resend.md" ? resend : ours
      const cells = tablesOf(`docs/${name}`).flatMap(({ header, rows }) => {
        const place = header.indexOf("here")
        return place < 0 ? [] : rows.map((row) => row[place] ?? "")
      })
      assert.isAbove(cells.length, 20)
      const unknown = cells.flatMap((cell) =>
        [...cell.matchAll(quoted)].flatMap(([, code = ""]) => (isName(names, code) ? [] : [`${code} in: ${cell}`]))
      )
      assert.deepStrictEqual(unknown, [])
    })
  }

  it("give each error its status", () => {
    const statuses = errorStatuses()
    assert.strictEqual(statuses.size, 12)
    for (const name of guides) {
      for (const { header, rows } of tablesOf(`docs/${name}`)) {
        const [place, statusPlace] = [header.indexOf("here"), header.indexOf("Status")]
        if (place < 0 || statusPlace < 0) continue
        for (const row of rows) {
          const tags = [...(row[place] ?? "").matchAll(quoted)].flatMap(([, code = ""]) =>
            code.endsWith("Error") ? [code] : []
          )
          const expected = tags.map((tag) => statuses.get(tag)).join(", ")
          if (tags.length > 0) assert.strictEqual(row[statusPlace], expected, `${name}: ${row.join(" | ")}`)
        }
      }
    }
  })
})
