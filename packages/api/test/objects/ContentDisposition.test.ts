import { assert, describe, it } from "@effect/vitest"
import { attachmentNamed } from "@switchboard/api/objects/ContentDisposition"

describe("The name of a download", () => {
  it("is a quoted text where that says all", () => {
    assert.strictEqual(attachmentNamed("Invoice 7.pdf"), 'attachment; filename="Invoice 7.pdf"')
  })

  it("has its letters beyond ASCII beside a plain form of it", () => {
    assert.strictEqual(
      attachmentNamed("Grüße 10€.pdf"),
      "attachment; filename=\"Gr__e 10_.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%2010%E2%82%AC.pdf"
    )
    assert.strictEqual(attachmentNamed("😀"), "attachment; filename=\"_\"; filename*=UTF-8''%F0%9F%98%80")
  })

  it("ends no quotes, begins no line and names no folder", () => {
    assert.strictEqual(
      attachmentNamed("a\"; x=\r\n\0../b\\c%41'"),
      "attachment; filename=\"a_; x=___.._b_c_41'\"; filename*=UTF-8''a%22%3B%20x%3D%0D%0A%00..%2Fb%5Cc%2541%27"
    )
  })
})
