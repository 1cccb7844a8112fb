import { assert, it } from "@effect/vitest"
import { typeOfFile } from "@switchboard/services/messages/compose/ComposeEmail"

it("typeOfFile returns the given content type, or else the type of the file extension", () => {
  assert.strictEqual(typeOfFile({ filename: "a.pdf", contentType: "text/plain" }), "text/plain")
  for (const [filename, type] of [
    ["invoice.pdf", "application/pdf"],
    ["PHOTO.JPG", "image/jpeg"],
    ["your order.v2.csv", "text/csv"],
    ["meeting.ics", "text/calendar"],
    ["offer.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["backup.tar.gz", "application/gzip"],
    ["pdf", "application/octet-stream"],
    ["README", "application/octet-stream"],
    ["notes.", "application/octet-stream"],
    ["notes.constructor", "application/octet-stream"],
    ["notes.__proto__", "application/octet-stream"]
  ] as const) {
    assert.strictEqual(typeOfFile({ filename }), type, filename)
  }
})
