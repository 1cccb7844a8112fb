import { assert, describe, it } from "@effect/vitest"
import { Draft, DraftId, sendOfDraft, toDraftFields } from "@switchboard/domain/drafts/Draft"
import { CreateDraft } from "@switchboard/domain/drafts/DraftRequests"
import { htmlOfText } from "@switchboard/domain/messages/HtmlOfText"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Schema } from "effect"

const ada = "01a1fc1d-e1b3-70c2-a5d2-d20017eabdaa"

const draft = (given: Omit<typeof CreateDraft.Encoded, "channel">) =>
  new Draft({
    ...Schema.decodeUnknownSync(CreateDraft)({ channel: "email", ...given }),
    id: DraftId.make("01a1fc1d-e1b3-70c2-a5d2-d20017eabdab"),
    organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
    lastEditedAt: DateTime.unsafeMake(0),
    createdAt: DateTime.unsafeMake(0)
  })

describe("The send request of a draft", () => {
  it("uses the address of a recipient, or the participant without one", () => {
    const recipients = [
      { email: "ada@example.com", participantId: ada, name: "Ada" },
      { participantId: ada, email: "" }
    ]
    assert.deepInclude(sendOfDraft(draft({ recipients, content: {} }), undefined), {
      to: [{ email: "ada@example.com", name: "Ada" }, { contactId: ada }],
      email: {}
    })
    assert.deepInclude(sendOfDraft(draft({ recipients: [{ phone: "1" }], content: {} }), undefined), { to: [{}] })
  })

  it("uses the HTML of the draft, or converts its body or text", () => {
    const emailOf = (content: typeof CreateDraft.Encoded.content, templateId?: string) =>
      sendOfDraft(draft({ recipients: [], content }), templateId)
    const emailSend = (email: object) => ({ channel: "email", to: [], email })
    assert.deepStrictEqual(emailOf({ subject: "s", html: "<b>h</b>" }), emailSend({ subject: "s", html: "<b>h</b>" }))
    assert.deepStrictEqual(emailOf({ body: "a < b" }), emailSend({ html: "<p>a &lt; b</p>", text: "a < b" }))
    assert.deepStrictEqual(emailOf({ body: "b", html: "h" }), emailSend({ html: "h", text: "b" }))
    assert.deepStrictEqual(emailOf({ body: "b", html: "h", text: "t" }), emailSend({ html: "h", text: "t" }))
    assert.deepStrictEqual(emailOf({ text: "t" }), emailSend({ html: "<p>t</p>", text: "t" }))
    assert.deepStrictEqual(emailOf({ subject: "", body: "", html: "", text: "" }), emailSend({}))
    // Beside a template, a text replaces only the template's text.
    assert.deepStrictEqual(
      emailOf({ text: "t", variables: { name: "Ada" } }, "one"),
      emailSend({ text: "t", templateId: "one", templateData: { name: "Ada" } })
    )
    assert.deepStrictEqual(emailOf({ html: "h", variables: { name: "Ada" } }), emailSend({ html: "h" }))
    assert.deepStrictEqual(emailOf({ body: "b" }, "one"), emailSend({ html: "<p>b</p>", text: "b", templateId: "one" }))
  })

  it("maps the fields of errors to the draft's names", () => {
    assert.deepStrictEqual(
      toDraftFields("email", {
        to: ["must name at least one recipient"],
        "to.0": ["must have either email or contactId"],
        "to.1.email": ["must be an email address"],
        "to.2.contactId": ["is a contact without an email address"],
        "email.subject": ["is required"],
        "email.from": ["is required"],
        "email.attachments.0.content": ["too large"],
        "email.templateData": ["wrong"],
        "templateData.order.id": ["is required"]
      }),
      {
        recipients: ["must name at least one recipient"],
        "recipients.0.email": ["is required"],
        "recipients.1.email": ["must be an email address"],
        "recipients.2.participantId": ["is a contact without an email address"],
        "content.subject": ["is required"],
        from: ["is required"],
        "content.attachmentIds": ["too large"],
        "content.variables": ["wrong"],
        "content.variables.order.id": ["is required"]
      }
    )
    assert.deepStrictEqual(toDraftFields("email", { channel: ["is staged"], "email.subject": ["is required"] }), {
      channel: ["is staged"]
    })
  })
})

describe("The HTML of a plain text", () => {
  it("has paragraphs and line breaks and escapes markup", () => {
    assert.strictEqual(
      htmlOfText("Dear <Ada> & all,\r\nhello\r\n \r\n\n&amp;"),
      "<p>Dear &lt;Ada&gt; &amp; all,<br>hello</p><p>&amp;amp;</p>"
    )
  })
})
