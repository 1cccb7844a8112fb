import { assert, layer } from "@effect/vitest"
import { EmailRecord } from "@switchboard/domain/email/records/EmailRecord"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ReceivedMessages } from "@switchboard/services/email/receiving/ReceivedMessages"
import { EmailRecords, ObjectsAndSentFiles } from "@switchboard/services/email/records/EmailRecords"
import { MessageRepo } from "@switchboard/services/messages/MessageRepo"
import { ObjectLinks } from "@switchboard/services/objects/ObjectLinks"
import { PublicUrl } from "@switchboard/services/PublicUrl"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { receive } from "@switchboard/store/testing/email/receiving/MailFixtures"
import { makeOrganization, newMessage } from "@switchboard/store/testing/messages/Fixtures"
import { StoreLive } from "@switchboard/store/testing/StoreLive"
import { Effect, Layer, Redacted, Schema, Stream } from "effect"
import { objectsInMemory } from "../../objects/ObjectsInMemory.js"

const Objects = objectsInMemory()
const Links = ObjectLinks.Default.pipe(
  Layer.provide(ObjectsAndSentFiles.pipe(Layer.provide(Objects))),
  Layer.provide(Layer.succeed(PublicUrl, "https://mail.example.com")),
  Layer.provide(Signatures.Live),
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const Live = Layer.merge(EmailRecords.Default, ReceivedMessages.Default).pipe(
  Layer.provideMerge(Links),
  Layer.provide(Objects),
  Layer.provideMerge(StoreLive)
)

const encoded = (organization: OrganizationId, id: MessageId) =>
  Effect.flatMap(EmailRecords, ({ get }) => Effect.flatMap(get(organization, id), Schema.encode(EmailRecord)))

/** The file name and the content that a link downloads. */
const download = (url: string | undefined) =>
  Effect.gen(function* () {
    const { open } = yield* ObjectLinks
    const { bytes, filename } = yield* open((url ?? "").replace("https://mail.example.com/v1/objects/", ""))
    const chunks = yield* Stream.runCollect(bytes)
    return [filename, Buffer.concat([...chunks]).toString()]
  })

layer(Live, { excludeTestServices: true })("EmailRecords on PostgreSQL", (it) => {
  it.effect("returns received mail with its headers, authentication results and attachments", () =>
    Effect.gen(function* () {
      const organization = yield* makeOrganization()
      const id = yield* receive(organization, {
        messageId: "<a@mail.example.com>",
        text: "",
        html: '<img src="cid:logo">',
        headers: [
          { name: "received", value: "from a" },
          { name: "subject", value: "Hello" },
          { name: "received", value: "from b" },
          { name: "__proto__", value: "x" }
        ],
        parts: [
          {
            filename: "logo.png",
            contentType: "image/png",
            contentId: "<logo>",
            isInline: true,
            content: new TextEncoder().encode("A logo")
          }
        ]
      })
      const { attachments, createdAt, deliveredAt, headers, threadId, ...record } = yield* encoded(organization, id)
      assert.deepStrictEqual(
        { ...record },
        {
          id,
          messageId: "<a@mail.example.com>",
          direction: "inbound",
          status: "delivered",
          from: "Ada Lovelace <Ada@Example.com>",
          to: ["help@desk.test"],
          cc: [],
          replyTo: [],
          subject: "Hello",
          html: '<img src="cid:logo">',
          authentication: { spf: "pass", dkim: "pass", dmarc: "pass" },
          size: 25
        }
      )
      assert.strictEqual(deliveredAt, createdAt)
      assert.isString(threadId)
      assert.deepStrictEqual(Object.entries(headers).slice(0, 2), [
        ["received", "from a\nfrom b"],
        ["subject", "Hello"]
      ])
      const [file] = attachments
      assert.deepInclude(file, { filename: "logo.png", contentType: "image/png", contentId: "logo", size: 6 })
      assert.deepStrictEqual(yield* download(file?.url), ["logo.png", "A logo"])
    })
  )

  it.effect("returns sent mail with its blind copies, and attachments with stable ids", () =>
    Effect.gen(function* () {
      const [organization, other] = yield* Effect.all([makeOrganization(), makeOrganization()])
      const repo = yield* MessageRepo
      const message = yield* newMessage(organization)
      const { message: sent } = yield* repo.accept({
        ...message,
        addressing: { ...message.addressing, bcc: ["eve@example.com"], headers: { "X-One": "1" } },
        attachments: ["Ä", "b"].map((text, position) => ({
          filename: `${position}.txt`,
          contentType: "text/plain",
          contentId: position === 0 ? "one" : null,
          content: new TextEncoder().encode(text)
        }))
      })
      const record = yield* encoded(organization, sent.id)
      assert.deepInclude(record, {
        messageId: `<${sent.id}@localhost.test>`,
        direction: "outbound",
        status: "pending",
        bcc: ["eve@example.com"],
        headers: { "X-One": "1" },
        // "Hello" as subject and text, the html, and the attachments.
        size: 5 + 5 + 12 + 3
      })
      for (const field of ["threadId", "authentication", "sentAt", "deliveredAt"]) assert.notProperty(record, field)
      const [first, second] = record.attachments
      assert.deepInclude(first, { filename: "0.txt", contentType: "text/plain", contentId: "one", size: 2 })
      assert.deepInclude(second, { filename: "1.txt", size: 1 })
      assert.notStrictEqual(first?.id, second?.id)
      assert.deepStrictEqual(yield* download(first?.url), ["0.txt", "Ä"])
      assert.deepStrictEqual(yield* download(second?.url), ["1.txt", "b"])
      const again = yield* encoded(organization, sent.id)
      assert.deepStrictEqual(
        again.attachments.map(({ id }) => id),
        [first?.id, second?.id]
      )
      const { get } = yield* EmailRecords
      assert.deepInclude(yield* Effect.flip(get(other, sent.id)), { _tag: "ResourceNotFoundError", resource: "email" })
      yield* repo.remove(organization, sent.id)
      assert.strictEqual((yield* Effect.flip(get(organization, sent.id)))._tag, "ResourceNotFoundError")
      assert.strictEqual((yield* Effect.flip(download(first?.url)))._tag, "ResourceNotFoundError")
    })
  )
})
