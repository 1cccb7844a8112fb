import { matchPath, pathWith } from "@switchboard/console/app/Paths"
import { assert, describe, it } from "vitest"

describe("A path pattern", () => {
  it.each([
    ["/messages", "/messages", {}],
    ["/messages/:id", "/messages/01a1", { id: "01a1" }],
    ["/domains/:name/records/:type", "/domains/example.com/records/TXT", { name: "example.com", type: "TXT" }],
    ["/domains/:name", "/domains/b%C3%BCcher%2Ftest", { name: "bücher/test" }],
    ["/messages", "/messages/01a1", undefined],
    ["/messages/:id", "/messages", undefined],
    ["/messages/:id", "/messages/", undefined],
    ["/messages/:id", "/messages/%ZZ", undefined],
    ["/messages", "/Messages", undefined]
  ])("%s matches %s with the parameters %j", (pattern, path, params) => {
    assert.deepStrictEqual(matchPath(pattern, path), params)
  })

  it("encodes the values of its parameters", () => {
    const path = pathWith("/domains/:name", { name: "bücher/test?" })
    assert.strictEqual(path, "/domains/b%C3%BCcher%2Ftest%3F")
    assert.deepStrictEqual(matchPath("/domains/:name", path), { name: "bücher/test?" })
  })
})
