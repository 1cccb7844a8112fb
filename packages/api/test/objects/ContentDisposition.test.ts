import { assert, describe, it } from "@effect/vitest"
import { attachmentDisposition } from "@switchboard/api/objects/ObjectsHttp"

describe("attachmentDisposition", () => {
  it("quotes an ASCII name", () => {
    assert.strictEqual(attachmentDisposition("Invoice 7.pdf"), 'attachment; filename="Invoice 7.pdf"')
  })

  it("adds an encoded name (RFC 8187) for other characters", () => {
    assert.strictEqual(
      attachmentDisposition("Grüße 10€.pdf"),
      "attachment; filename=\"Gr__e 10_.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%2010%E2%82%AC.pdf"
    )
    assert.strictEqual(attachmentDisposition("😀"), "attachment; filename=\"_\"; filename*=UTF-8''%F0%9F%98%80")
  })

  it("replaces quotes, line breaks and slashes", () => {
    assert.strictEqual(
      attachmentDisposition("a\"; x=\r\n\0../b\\c%41'"),
      "attachment; filename=\"a_; x=___.._b_c_41'\"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A%00..%2Fb%5Cc%2541%27"
    )
  })
})
