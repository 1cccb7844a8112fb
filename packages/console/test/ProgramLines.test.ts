import { readFileSync } from "node:fs"
import { connectionOf, programs, type SubmissionAddress } from "@switchboard/console/views/ProgramLines"
import { repositoryFile } from "@switchboard/domain/testing/RepositoryFile"
import { assert, describe, it } from "vitest"

const guide = readFileSync(repositoryFile("docs/submission.md"), "utf8")
const [, section = ""] = /\n## Settings of programs\n(.*?)\n## /s.exec(guide) ?? []

/** The lines of each program for an address, by the program's name. */
const linesFor = (address: SubmissionAddress): Readonly<Record<string, string>> => {
  const connection = connectionOf(address) ?? assert.fail("There is no port")
  return Object.fromEntries(programs.map(({ label, lines }) => [label, lines(connection)]))
}

describe("The lines for programs", () => {
  it("are those of the guide for the default address", () => {
    const blocks = [...section.matchAll(/^([A-Z]\w+)[^\n]*:\n\n```\w+\n(.*?)\n```/gms)]
    const inGuide = Object.fromEntries(blocks.map(([, label, lines]) => [label, lines]))
    assert.deepStrictEqual(linesFor({ host: "127.0.0.1", port: 2587, startTls: false }), inGuide)
  })

  it("have with TLS what the guide adds, and the port with implicit TLS if there is one", () => {
    const rows = [...section.matchAll(/^\| ([A-Z]\w+) \| (?:`([^`]+)`|[^|`]+) \| `([^`]+)` \|$/gm)]
    assert.deepStrictEqual(
      rows.map(([, label]) => label),
      programs.map(({ label }) => label)
    )
    const host = "mail.example.net"
    const plain = linesFor({ host, port: 2587, startTls: false })
    const startTls = linesFor({ host, port: 2587, startTls: true })
    const implicit = linesFor({ host, port: 2587, tlsPort: 2465, startTls: true })
    for (const [, label = "", requiring, withTls = ""] of rows) {
      assert.match(plain[label] ?? "", /mail\.example\.net.*2587/s)
      if (requiring === undefined) assert.strictEqual(startTls[label], plain[label])
      else assert.include(startTls[label], requiring)
      assert.include(implicit[label], withTls)
      assert.match(implicit[label] ?? "", /mail\.example\.net.*2465/s)
      for (const addition of [requiring ?? withTls, withTls]) assert.notInclude(plain[label], addition)
    }
  })
})
