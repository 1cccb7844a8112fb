import { assert, describe, it } from "@effect/vitest"
import { twilioAccount } from "@switchboard/channels/sms/TwilioAccount"
import { twilioCallbacks, twilioSignature } from "@switchboard/channels/sms/TwilioCallbacks"
import type { Receipt } from "@switchboard/services/providers/ProviderEvent"
import { Either, Option, Redacted } from "effect"
import { accountSid, authToken, inboundFields, signatureOf, statusFields } from "./TwilioServer.js"

const readerAt = (publicUrl: string) =>
  twilioCallbacks(
    Option.getOrThrow(
      twilioAccount(Redacted.make(`twilio+https://${accountSid}:${encodeURIComponent(authToken)}@api.twilio.com`))
    ),
    publicUrl
  )

const at = "2026-11-29T12:00:00.000Z"
const publicUrl = "https://messages.example.com"
const callbackUrl = `${publicUrl}/v1/providers/twilio`
const bodyOf = (fields: Readonly<Record<string, string>> | string) =>
  new TextEncoder().encode(new URLSearchParams(fields).toString())

const sent = { sid: `SM${"a".repeat(32)}`, from: "+15550100000", to: "+4915123456789" }
const delivered = statusFields(sent, "delivered")

describe("The signature of Twilio", () => {
  it("is that of the examples in Twilio's documentation", () => {
    const url = "https://mycompany.com/myapp.php?foo=1&bar=2"
    const fields = (caller: string) =>
      new URLSearchParams({
        CallSid: "CA1234567890ABCDE",
        Digits: "1234",
        From: caller,
        To: "+18005551212",
        Caller: caller
      })
    const token = Redacted.make("12345")
    assert.strictEqual(twilioSignature(token, url, fields("+14158675309")), "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
    assert.strictEqual(twilioSignature(token, url, fields("+14158675310")), "GvWf1cFY/Q7PnoempGyD5oXAezc=")
  })

  it("is accepted over the public URL with its path, query, and with or without its port", () => {
    for (const [configured, signed] of [
      [publicUrl, publicUrl],
      [publicUrl, `${publicUrl}:443`],
      [`${publicUrl}:8443`, `${publicUrl}:8443`],
      [`${publicUrl}:8443`, publicUrl],
      [`${publicUrl}/base`, `${publicUrl}/base`],
      ["http://[::1]:3000", "http://[::1]:3000"],
      ["http://[::1]", "http://[::1]:80"]
    ] as const) {
      for (const query of ["", "?tenant=a%20b&x=1"]) {
        const signature = signatureOf(`${signed}/v1/providers/twilio${query}`, delivered)
        assert.isTrue(
          readerAt(configured).isSigned({ signature, query, body: bodyOf(delivered) }),
          `${configured} ${signed}`
        )
      }
    }
  })

  it("is refused if anything differs", () => {
    const { isSigned } = readerAt(publicUrl)
    const signature = signatureOf(callbackUrl, delivered)
    const callback = { signature, query: "", body: bodyOf(delivered) }
    assert.isTrue(isSigned(callback))
    for (const [name, change] of Object.entries({
      otherToken: { signature: signatureOf(callbackUrl, delivered, "other") },
      otherHost: { signature: signatureOf("https://example.org/v1/providers/twilio", delivered) },
      otherScheme: { signature: signatureOf(callbackUrl.replace("https", "http"), delivered) },
      otherQuery: { query: "?x=1" },
      otherField: { body: bodyOf({ ...delivered, MessageStatus: "failed" }) },
      furtherField: { body: bodyOf({ ...delivered, ErrorCode: "30003" }) },
      fewerFields: { body: bodyOf({ MessageSid: sent.sid }) },
      emptyBody: { body: new Uint8Array() },
      notUtf8: { body: new Uint8Array([0xff, 0xfe, 0x3d, 0xff]) },
      none: { signature: "" },
      shorter: { signature: signature.slice(0, -1) },
      longer: { signature: `${signature}=` },
      otherEncoding: { signature: Buffer.from(signature, "base64").toString("hex") },
      notAscii: { signature: "ü".repeat(14) }
    })) {
      assert.isFalse(isSigned({ ...callback, ...change }), name)
    }
  })

  it("covers all values of a repeated field once, in their order", () => {
    const { isSigned } = readerAt(publicUrl)
    const body = new TextEncoder().encode("MediaUrl=b&MediaUrl=a&MediaUrl=b&Body=%C3%BC+x")
    const signature = signatureOf(callbackUrl, { Body: "ü x", MediaUrl: "aMediaUrlb" })
    assert.isTrue(isSigned({ signature, query: "", body }))
  })
})

describe("A callback of Twilio", () => {
  const { readEvents } = readerAt(publicUrl)
  const read = (fields: Readonly<Record<string, string>>) => Either.getOrThrow(readEvents(bodyOf(fields), at))

  it("reports what became of a text", () => {
    const receipt: Omit<Receipt, "status"> = {
      _tag: "Receipt",
      channel: "sms",
      providerMessageIds: [sent.sid],
      phone: sent.to,
      at
    }
    assert.deepStrictEqual(read(delivered), [{ ...receipt, status: "delivered", response: "delivered" }])
    assert.deepStrictEqual(read(statusFields(sent, "read")), [{ ...receipt, status: "read", response: "read" }])
    assert.deepStrictEqual(read(statusFields(sent, "undelivered", 30_003)), [
      { ...receipt, status: "failed", errorCode: "30003", response: "undelivered" }
    ])
    assert.deepStrictEqual(read(statusFields(sent, "failed")), [
      { ...receipt, status: "failed", errorCode: "failed", response: "failed" }
    ])
    assert.deepStrictEqual(read({ MessageSid: sent.sid, MessageStatus: "delivered" }), [
      { ...receipt, phone: null, status: "delivered", response: "delivered" }
    ])
  })

  it("changes nothing with another status", () => {
    for (const status of ["accepted", "queued", "sending", "sent", "scheduled", "a-later-status", ""]) {
      assert.deepStrictEqual(read(statusFields(sent, status)), [], status)
    }
  })

  it("has a received text, also an empty one", () => {
    const fields = inboundFields(sent.to, sent.from, "Yes 😀\0")
    assert.deepStrictEqual(read(fields), [
      {
        _tag: "ReceivedText",
        channel: "sms",
        from: sent.to,
        to: sent.from,
        text: "Yes 😀\uFFFD",
        providerMessageId: fields.MessageSid,
        part: null,
        at
      }
    ])
    assert.deepInclude(read({ ...fields, Body: "" })[0] ?? {}, { text: "" })
  })

  it("is invalid without its fields", () => {
    assert.deepStrictEqual(Either.getOrThrow(Either.flip(readEvents(new Uint8Array(), at))), {
      MessageSid: ["is required"],
      From: ["is required"],
      To: ["is required"],
      Body: ["is required"]
    })
    const status = Either.flip(readEvents(bodyOf({ MessageStatus: "delivered" }), at))
    assert.deepStrictEqual(Object.keys(Either.getOrThrow(status)), ["MessageSid"])
  })
})
