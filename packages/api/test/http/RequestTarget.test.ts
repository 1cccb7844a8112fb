import { isWellFormedPath, pathOf, queryOf } from "@switchboard/api/http/RequestParameters"
import { assert, describe, it } from "vitest"

describe("A request target", () => {
  it.each([
    ["/v1/messages", "/v1/messages"],
    ["/v1/messages?limit=1", "/v1/messages"],
    ["//v1/messages", "//v1/messages"],
    ["/v1/messages?back=https://evil.test/x?y", "/v1/messages"],
    ["http://evil.test/v1/messages?limit=1", "/v1/messages"],
    ["http://evil.test:99999/v1/messages", "/v1/messages"],
    ["http://[::1/v1/messages", "/v1/messages"],
    ["HTTPS://evil.test", "/"],
    ["http://evil.test?x=1", "/"],
    ["", "/"]
  ])("%j has the path %s", (target, path) => {
    assert.strictEqual(pathOf(target), path)
  })

  it("has query parameters, also in an invalid URL", () => {
    assert.deepStrictEqual(
      [...queryOf("http://evil.test:99999/v1/messages?limit=1&q=%ZZ")],
      [
        ["limit", "1"],
        ["q", "%ZZ"]
      ]
    )
    assert.deepStrictEqual([...queryOf("/v1/messages")], [])
  })

  it.each([
    ["/", true],
    ["/v1/messages", true],
    ["/v1/m%65ssages%3B%2F", true],
    ["/v1/messages/", false],
    ["//v1/messages", false],
    ["/v1//messages", false],
    ["/v1/messages;a=1", false],
    ["/v1/messages#top", false]
  ])("has the path %s, which is well-formed: %s", (path, expected) => {
    assert.strictEqual(isWellFormedPath(path), expected)
  })
})
