import { HttpServerResponse } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { sandboxedHtml } from "@switchboard/api/email/records/SandboxedHtml"

const bodyOf = (html: string) => HttpServerResponse.toWeb(sandboxedHtml(html)).text()

describe("sandboxedHtml", () => {
  it("is a page without scripts and requests that only its own origin can frame", () => {
    const { headers } = sandboxedHtml("<p>a")
    assert.strictEqual(headers["content-type"], "text/html; charset=utf-8")
    assert.strictEqual(headers["x-frame-options"], "SAMEORIGIN")
    const policy = headers["content-security-policy"] ?? ""
    assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/)
    assert.match(policy, /; frame-ancestors 'self'$/)
  })

  it("keeps the document type first", async () => {
    assert.strictEqual(await bodyOf("<!DOCTYPE html><p>a"), '<!DOCTYPE html><base target="_blank"><p>a')
  })

  it("has no links to other resources, to which browsers may connect in advance, no frames and no SVG", async () => {
    for (const html of [
      '<LINK rel="preconnect" href="https://a.test">',
      "<link/rel=preconnect href=//a.test>",
      "<SVG>",
      "<iframe\nsrc=//a.test>",
      "<frame src=//a.test>",
      "<object/data=//a.test>",
      "<embed src=//a.test>"
    ]) {
      assert.notMatch(await bodyOf(html), /<(?:link|svg|iframe|frame|object|embed)\b/i)
    }
    assert.include(await bodyOf("<linked>"), "<linked>")
  })

  it("has no other target than the base, and the same visible text", async () => {
    const html = '<a href="/" TARGET = _self>a</a><p>Our target=10</p><a href="/"target="_top">b</a>'
    const text = await bodyOf(html)
    assert.notMatch(text.replace('<base target="_blank">', ""), /target\s*=/i)
    assert.strictEqual(text.replaceAll("\u200b", ""), `<base target="_blank">${html}`)
  })
})
