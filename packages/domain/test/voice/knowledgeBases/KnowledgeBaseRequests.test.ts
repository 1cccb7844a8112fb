import { isSameType } from "@switchboard/domain/MediaType"
import { maxDocumentBytes, RequestUpload } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { ParseResult } from "effect"
import { assert, describe, it } from "vitest"

const decode = ParseResult.decodeUnknownEither(RequestUpload, { errors: "all", onExcessProperty: "error" })
const valid = { filename: "opening-hours.pdf", contentType: "application/pdf", contentLength: 1 }
const isValid = (changes: object) => decode({ ...valid, ...changes })._tag === "Right"

describe("An upload request", () => {
  it("accepts a file name", () => {
    for (const filename of ["a", "é 😀.pdf", "..pdf", "a..b", ".hidden", "x".repeat(255), "שלום.pdf"]) {
      assert.isTrue(isValid({ filename }), filename)
    }
  })

  it("rejects a file name that is a path, has control characters, or is too long", () => {
    for (const filename of [
      ...["", "x".repeat(256), ".", "..", "../a", "..\\a", "a/b", "/etc/passwd", "C:\\a"],
      ...["a\0.pdf", "a\n.pdf", "a\u007f", "a\u0085", "invoice\u202efdp.exe", "a\u2066b", "a\u200fb", "a\u2028b"]
    ]) {
      assert.isFalse(isValid({ filename }), JSON.stringify(filename))
    }
  })

  it("requires a valid media type", () => {
    for (const contentType of ["text/plain", "Text/Plain; charset=UTF-8", 'a/b;x="y z"', "application/vnd.a+json"]) {
      assert.isTrue(isValid({ contentType }), contentType)
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
      assert.isFalse(isValid({ contentType }), contentType)
    }
  })

  it("requires a length within the limits", () => {
    for (const contentLength of [1, maxDocumentBytes]) assert.isTrue(isValid({ contentLength }))
    for (const contentLength of [0, -1, 1.5, maxDocumentBytes + 1, "1", null, undefined, Number.NaN]) {
      assert.isFalse(isValid({ contentLength }), String(contentLength))
    }
  })
})

describe("A media type", () => {
  it("is compared ignoring case and white space", () => {
    assert.isTrue(isSameType("Text/Plain ; Charset=UTF-8", "text/plain;charset=utf-8"))
    assert.isTrue(isSameType("text/plain", " text/plain "))
    assert.isFalse(isSameType("text/plain", "text/plain; charset=utf-8"))
    assert.isFalse(isSameType("text/plain", "text/html"))
    assert.isFalse(isSameType('a/b;x="Y"', 'a/b;x="y"'))
  })
})
