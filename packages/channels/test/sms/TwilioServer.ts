import { createHmac, randomBytes } from "node:crypto"
import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import { type Received, type ReceiverOptions, receiver } from "../webhooks/Receiver.js"

/** The account of the tests. */
export const accountSid = `AC${"0123456789abcdef".repeat(2)}`

/** The token has characters that a URL must escape. */
export const authToken = "t0ken:with/every+kind@of%character"

const version = "2010-04-01"

/** A message that the server took. */
export interface TakenMessage {
  readonly sid: string
  readonly to: string
  readonly from: string
  readonly body: string
  readonly statusCallback: string
}

/** The errors of Twilio's documented test numbers ("Test credentials"), by sender or recipient. */
const recipientErrors: Readonly<Record<string, readonly [code: number, message: string]>> = {
  "+15005550001": [21211, "The 'To' number +15005550001 is not a valid phone number."],
  "+15005550002": [21612, "The message cannot be sent with the combination of 'To' and/or 'From' parameters"],
  "+15005550003": [21408, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number"],
  "+15005550004": [21610, "Attempt to send to unsubscribed recipient"],
  "+15005550009": [21614, "'To' number is not a valid mobile number"]
}
const senderErrors: Readonly<Record<string, readonly [code: number, message: string]>> = {
  "+15005550001": [
    21212,
    "The 'From' number +15005550001 is not a valid phone number, shortcode, or alphanumeric sender ID."
  ],
  "+15005550007": [21606, "The From phone number +15005550007 is not a valid, SMS-capable inbound phone number"],
  "+15005550008": [21611, "This 'From' number has exceeded the maximum number of queued messages"]
}

const respond = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json;charset=utf-8" })
  response.end(JSON.stringify(body))
}

/** Responds with an error as Twilio does. */
export const respondError = (response: ServerResponse, status: number, code: number, message = "An error") =>
  respond(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

/** The signature of a form, by the text of Twilio's documentation. */
export const signatureOf = (url: string, fields: Readonly<Record<string, string>>, token = authToken) => {
  const names = Object.keys(fields).sort()
  const text = names.reduce((before, name) => `${before}${name}${fields[name]}`, url)
  return createHmac("sha1", token).update(Buffer.from(text, "utf8")).digest("base64")
}

/** Posts a signed form to a URL. */
export const postSigned = (
  url: string,
  fields: Readonly<Record<string, string>>,
  signature = signatureOf(url, fields)
) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "X-Twilio-Signature": signature },
      body: new URLSearchParams(fields)
    })
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
  })

const newSid = () => `SM${randomBytes(16).toString("hex")}`

/** The fields of a status callback. */
export const statusFields = (
  { from, sid, to }: Pick<TakenMessage, "from" | "sid" | "to">,
  status: string,
  errorCode?: number
) => ({
  SmsSid: sid,
  SmsStatus: status,
  MessageStatus: status,
  To: to,
  MessageSid: sid,
  AccountSid: accountSid,
  From: from,
  ApiVersion: version,
  ...(errorCode === undefined ? {} : { ErrorCode: String(errorCode) })
})

/** The fields of a received message. */
export const inboundFields = (from: string, to: string, body: string, sid = newSid()) => ({
  ToCountry: "US",
  ToState: "",
  SmsMessageSid: sid,
  NumMedia: "0",
  ToCity: "",
  FromZip: "",
  SmsSid: sid,
  FromState: "",
  SmsStatus: "received",
  FromCity: "",
  Body: body,
  FromCountry: "DE",
  To: to,
  ToZip: "",
  NumSegments: "1",
  MessageSid: sid,
  AccountSid: accountSid,
  From: from,
  ApiVersion: version
})

/** The Messages API of Twilio on loopback, as its documentation describes it. */
export const twilioServer = (options: ReceiverOptions = {}) =>
  Effect.gen(function* () {
    const messages: Array<TakenMessage> = []
    /** Responses to the next requests for a message, in place of the API's own. */
    const next: Array<(response: ServerResponse, request: Received) => void> = []
    const account = { status: "active" }
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`

    const create = (response: ServerResponse, { body, headers }: Received) => {
      const form = new URLSearchParams(headers["content-type"] === "application/x-www-form-urlencoded" ? body : "")
      const field = (name: string) => form.get(name) ?? ""
      const [to, from, text, statusCallback] = [field("To"), field("From"), field("Body"), field("StatusCallback")]
      if (to === "") return respondError(response, 400, 21604, "A 'To' phone number is required.")
      if (from === "") return respondError(response, 400, 21603, "A 'From' phone number is required.")
      if (text === "") return respondError(response, 400, 21602, "Message body is required.")
      if (text.length > 1_600)
        return respondError(response, 400, 21617, "The concatenated message body exceeds 1600 characters")
      const error = recipientErrors[to] ?? senderErrors[from]
      if (error !== undefined) return respondError(response, 400, ...error)
      const sid = newSid()
      messages.push({ sid, to, from, body: text, statusCallback })
      respond(response, 201, {
        body: text,
        num_segments: "1",
        direction: "outbound-api",
        from,
        to,
        date_updated: "Sun, 29 Nov 2026 12:00:00 +0000",
        price: null,
        error_message: null,
        uri: `/${version}/Accounts/${accountSid}/Messages/${sid}.json`,
        account_sid: accountSid,
        num_media: "0",
        status: "queued",
        messaging_service_sid: null,
        sid,
        date_sent: null,
        date_created: "Sun, 29 Nov 2026 12:00:00 +0000",
        error_code: null,
        price_unit: "USD",
        api_version: version,
        subresource_uris: { media: `/${version}/Accounts/${accountSid}/Messages/${sid}/Media.json` }
      })
    }

    const server = yield* receiver((response, request) => {
      const { headers, method, path } = request
      if (headers.authorization !== expected) return respondError(response, 401, 20003, "Authenticate")
      const resource = `${method} ${path}`
      if (resource === `GET /${version}/Accounts/${accountSid}.json`) {
        return respond(response, 200, { sid: accountSid, friendly_name: "Test", type: "Full", ...account })
      }
      if (resource === `POST /${version}/Accounts/${accountSid}/Messages.json`) {
        const scripted = next.shift()
        return scripted === undefined ? create(response, request) : scripted(response, request)
      }
      const [, numberSid] = /^POST \S+\/IncomingPhoneNumbers\/(PN[0-9a-f]{32})\.json$/.exec(resource) ?? []
      if (numberSid !== undefined) {
        const form = new URLSearchParams(request.body)
        const [smsUrl, smsMethod] = [form.get("SmsUrl"), form.get("SmsMethod")]
        return respond(response, 200, { sid: numberSid, sms_url: smsUrl, sms_method: smsMethod })
      }
      respondError(response, 404, 20404, "The requested resource was not found")
    }, options)

    const { protocol, host } = new URL(server.url)
    const smsUrl = `twilio+${protocol}//${accountSid}:${encodeURIComponent(authToken)}@${host}`

    return {
      ...server,
      /** For `SMS_URL`. */
      smsUrl,
      messages,
      next,
      account,
      /** Reports a status of a message to its callback URL, signed. */
      report: (message: TakenMessage, status: string, errorCode?: number) =>
        postSigned(message.statusCallback, statusFields(message, status, errorCode))
    }
  })
