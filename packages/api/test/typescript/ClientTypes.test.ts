import { clientTypes } from "@switchboard/api/typescript/ClientTypes"
import { assert, describe, it } from "vitest"

/** Fields that a comment can't describe better than their type: index signatures, parts of requests, and permissions. */
const isObvious = (line: string) =>
  /readonly (?:\[key: string\]|(?:path|headers|urlParams|payload)\??|\w+: \w+Operations$|"[\w*]+"\?: ReadonlyArray<"read")/.test(
    line
  )

describe("The types of the client", () => {
  it("describe every operation and every field", () => {
    const lines = clientTypes().split("\n")
    const undescribed = lines.filter(
      (line, at) => /^ *readonly /.test(line) && !isObvious(line) && !lines[at - 1]?.endsWith("*/")
    )
    assert.deepStrictEqual(undescribed, [])
    assert.isAbove(lines.length, 1_000)
  })
})
