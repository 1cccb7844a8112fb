import { assert, describe, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { RecordedFile } from "@switchboard/services/email/records/EmailRecordRepo"
import { sentFileKey } from "@switchboard/services/email/records/EmailRecords"
import { dataUrl, maxInlineOctets, referencedImages, withImages } from "@switchboard/services/email/records/RawMails"
import { v7 } from "uuid"

const organization = OrganizationId.make(v7())
const message = MessageId.make(v7())

const image = (contentId: string, changes: Partial<RecordedFile> = {}): RecordedFile => ({
  id: v7(),
  filename: `${contentId}.png`,
  contentType: "image/png",
  size: 3,
  contentId,
  key: sentFileKey(organization, message, 0),
  ...changes
})

const octets = new Uint8Array([1, 2, 3])

/** The HTML with all images in it. */
const inlined = (html: string, ...files: ReadonlyArray<RecordedFile>) =>
  withImages(html, new Map([...referencedImages(html, files)].map(([id, file]) => [id, dataUrl(file, octets)])))

const url = "data:image/png;base64,AQID"

describe("Inline images", () => {
  it("replace references in attributes and styles, with any quotes and escapes", () => {
    const logo = image("logo+1@shop.test")
    for (const [html, expected] of [
      ['<img src="cid:logo+1@shop.test">', `<img src="${url}">`],
      ["<img src='CID:logo%2B1%40shop.test'>", `<img src='${url}'>`],
      ["<td background=cid:logo+1@shop.test>", `<td background=${url}>`],
      ["<p style=\"background: url('cid:logo+1@shop.test')\">", `<p style="background: url('${url}')">`],
      [
        "<p style='background: url(&quot;cid:logo+1@shop.test&quot;)'>",
        `<p style='background: url(&quot;${url}&quot;)'>`
      ]
    ] as const) {
      assert.strictEqual(inlined(html, logo), expected)
    }
  })

  it("leave other references as they are", () => {
    const html = '<img src="cid:%zz"><img src="cid:other"><img src="cid:page"><p>acid:logo</p>'
    assert.strictEqual(inlined(html, image("logo"), image("page", { contentType: "text/html" })), html)
  })

  it("have a type without parameters", () => {
    for (const contentType of ["image/png; name=logo.png", 'image/png;x="\'>"']) {
      assert.strictEqual(inlined("<img src='cid:logo'>", image("logo", { contentType })), `<img src='${url}'>`)
    }
    const html = "<img src='cid:logo'>"
    assert.strictEqual(inlined(html, image("logo", { contentType: "image/png'onerror='" })), html)
  })

  it("are limited in total, counted at each reference", () => {
    const small = image("small")
    const large = image("large", { size: Math.floor(maxInlineOctets / 3) })
    const html = `${'<img src="cid:large">'.repeat(4)}<img src="cid:small">`
    assert.deepStrictEqual([...referencedImages(html, [large, small]).keys()], ["small"])
    assert.deepStrictEqual([...referencedImages(html.slice(21), [large, small]).keys()], ["large"])
  })
})
