import { isSameType } from "@switchboard/domain/voice/knowledgeBases/ContentType"
import { largestDocument, RequestUpload } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const decode = ParseResult.decodeUnknownEither(RequestUpload, { errors: "all", onExcessProperty: "error" })
const fine = { filename: "opening-hours.pdf", contentType: "application/pdf", contentLength: 1 }
const takes = (changes: object) => decode({ ...fine, ...changes })._tag === "Right"

describe("An upload that is asked for", () => {
  it("has the name of a file", () => {
    for (const filename of ["a", "é 😀.pdf", "..pdf", "a..b", ".hidden", "x".repeat(255), "שלום.pdf"]) {
      assert.isTrue(takes({ filename }), filename)
    }
  })

  it("has no name that is a path, hides something, or is too long", () => {
    for (const filename of [
      ...["", "x".repeat(256), ".", "..", "../a", "..\\a", "a/b", "/etc/passwd", "C:\\a"],
      ...["a\0.pdf", "a\n.pdf", "a\u007f", "a\u0085", "invoice\u202efdp.exe", "a\u2066b", "a\u200fb", "a\u2028b"]
    ]) {
      assert.isFalse(takes({ filename }), JSON.stringify(filename))
    }
  })

  it("has a media type", () => {
    for (const contentType of ["text/plain", "Text/Plain; charset=UTF-8", 'a/b;x="y z"', "application/vnd.a+json"]) {
      assert.isTrue(takes({ contentType }), contentType)
    }
    for (const contentType of [
      "",
      "pdf",
      "a/",
      "/b",
      "a/b/c",
      "a/b;",
      "a/b\r\nX: y",
      "a/b; é=1",
      "text/".padEnd(256, "x")
    ]) {
      assert.isFalse(takes({ contentType }), contentType)
    }
  })

  it("has a length within bounds", () => {
    for (const contentLength of [1, largestDocument]) assert.isTrue(takes({ contentLength }))
    for (const contentLength of [0, -1, 1.5, largestDocument + 1, "1", null, undefined, Number.NaN]) {
      assert.isFalse(takes({ contentLength }), String(contentLength))
    }
  })
})

describe("A media type", () => {
  it("is the same however it is written", () => {
    assert.isTrue(isSameType("Text/Plain ; Charset=UTF-8", "text/plain;charset=utf-8"))
    assert.isTrue(isSameType("text/plain", " text/plain "))
    assert.isFalse(isSameType("text/plain", "text/plain; charset=utf-8"))
    assert.isFalse(isSameType("text/plain", "text/html"))
    assert.isFalse(isSameType('a/b;x="Y"', 'a/b;x="y"'))
  })
})
