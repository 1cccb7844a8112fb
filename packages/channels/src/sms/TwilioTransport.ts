import type { FailureReason } from "@switchboard/domain/messages/delivery/FailureReason"
import { ProviderUnavailable, type Sending, type SendLease } from "@switchboard/services/messages/delivery/Provider"
import { type OutgoingSms, SmsTransport } from "@switchboard/services/sms/SmsTransport"
import { Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { httpExchange, httpPool, maxReadBytes } from "../network/HttpExchange.js"
import { defaultProviderTimeout, maxResponse, replied, unknownReply, withoutReply } from "../network/ProviderHttp.js"
import { storableText } from "../StorableText.js"
import { maxSidLength, type TwilioAccount } from "./TwilioAccount.js"

/** The account that texts are sent from. */
export class TwilioSettings extends Context.Tag("channels/TwilioSettings")<
  TwilioSettings,
  {
    readonly account: TwilioAccount
    /** The URL to which Twilio reports the status of each text. */
    readonly statusCallback: string
    /** The wait for a connection and a complete response. Default: 30 seconds. */
    readonly timeout?: Duration.Duration
  }
>() {}

/** Errors about one message (Twilio, "Error and warning dictionary"): a repeat would fail again. */
const refusals: ReadonlyMap<number, FailureReason> = new Map([
  [21211, "user_unknown"],
  [21212, "sender_blocked"],
  [21214, "user_unknown"],
  [21217, "user_unknown"],
  [21265, "user_unknown"],
  [21266, "policy"],
  [21408, "policy"],
  [21601, "sender_blocked"],
  [21602, "content"],
  [21603, "sender_blocked"],
  [21604, "user_unknown"],
  [21605, "message_too_large"],
  [21606, "sender_blocked"],
  [21607, "sender_blocked"],
  [21608, "policy"],
  [21610, "policy"],
  [21612, "policy"],
  [21614, "user_unknown"],
  [21617, "message_too_large"],
  [21618, "content"],
  [21619, "content"],
  [21635, "user_unknown"],
  [21659, "sender_blocked"],
  [21660, "sender_blocked"],
  [21661, "sender_blocked"]
])

/** The queue of the sender's number is full: other numbers are not affected. */
const senderQueueFull = 21611

/**
 * Errors about the account, with any status of the response: credentials, suspended account, rate, and a StatusCallback
 * that Twilio can't reach.
 */
const outages: ReadonlySet<number> = new Set([10001, 14107, 20003, 20005, 20006, 20404, 20429, 21609, 30002, 63038])

/** The account or the API can't be used. */
const outageStatuses: ReadonlySet<number> = new Set([401, 403, 404, 429, 503])

/** A response of the API: a message, an account, or an error with its code. */
interface TwilioReply {
  readonly status: number
  readonly sid: string
  /** The state of the message or of the account. */
  readonly state: string
  readonly code: number | null
  readonly message: string
}

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(
    Schema.Struct({
      sid: Schema.optionalWith(Schema.String, { default: () => "" }),
      status: Schema.optional(Schema.Unknown),
      code: Schema.optionalWith(Schema.NullOr(Schema.Union(Schema.Int, Schema.NumberFromString)), {
        default: () => null
      }),
      message: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
    })
  )
)

/** Text that is not the JSON of the API has none of its fields. */
const readReply = (status: number, body: string): TwilioReply =>
  Option.match(decode(body), {
    onNone: () => ({ status, sid: "", state: "", code: null, message: "" }),
    onSome: ({ code, message, sid, status: state }) => ({
      status,
      sid: storableText(sid, maxSidLength),
      state: typeof state === "string" ? storableText(state, maxSidLength) : "",
      code,
      message: message ?? ""
    })
  })

/** For example `HTTP 400 21211 Invalid 'To' Phone Number`. */
const replyText = ({ code, message, status }: TwilioReply): string =>
  storableText(["HTTP", status, code, message].filter((part) => part !== null && part !== "").join(" "), maxResponse)

/** Sends requests to the account's API over kept connections. */
const twilioRequests = Effect.gen(function* () {
  const { account, timeout = defaultProviderTimeout } = yield* TwilioSettings
  const pool = yield* httpPool(account.origin)
  const credentials = () => `${account.accountSid}:${Redacted.value(account.authToken)}`
  const request = (path: string, form: URLSearchParams | null, isWanted: () => boolean) =>
    Effect.suspend(() =>
      httpExchange(pool, {
        method: form === null ? "GET" : "POST",
        path: account.path + path,
        headers: {
          accept: "application/json",
          authorization: `Basic ${Buffer.from(credentials()).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": "Switchboard/1.0"
        },
        body: form === null ? null : form.toString(),
        timeoutMs: Duration.toMillis(timeout),
        maxStoredBytes: maxReadBytes,
        isWanted
      })
    )
  return (path: string, form: URLSearchParams | null = null, isWanted: () => boolean = () => true) =>
    Effect.map(request(path, form, isWanted), ({ head, status }) => readReply(status, head.toString("utf8")))
})

/** The result of a send. */
const resultOf = (recipient: string, reply: TwilioReply): Sending => {
  const { code, sid, state, status } = reply
  if (status >= 200 && status < 300 && sid !== "") {
    const accepted = `HTTP ${status} ${sid} ${state}`.trimEnd()
    return replied({ recipient, verdict: "accepted", response: accepted, providerMessageIds: [sid] })
  }
  const response = replyText(reply)
  const isError = status >= 400 && status < 500
  const reason = code === null ? undefined : refusals.get(code)
  if (isError && reason !== undefined) {
    return replied({ recipient, verdict: "refused", errorCode: String(code), response, reason })
  }
  if (isError && code === senderQueueFull) {
    return replied({ recipient, verdict: "deferred", errorCode: String(code), response, reason: "rate_limited" })
  }
  if (outageStatuses.has(status) || (code !== null && outages.has(code))) return new ProviderUnavailable({ response })
  if (isError && code !== null) {
    return replied({ recipient, verdict: "refused", errorCode: String(code), response, reason: "unknown" })
  }
  return unknownReply(status, response, true)
}

/** Sends texts over a Twilio-compatible HTTP API, which cuts them into segments itself. */
export const TwilioTransport = Layer.scoped(
  SmsTransport,
  Effect.gen(function* () {
    const { account, statusCallback } = yield* TwilioSettings
    const request = yield* twilioRequests

    const send = ({ from, text, to }: OutgoingSms, { isHeld }: SendLease) =>
      request(
        "/Messages.json",
        new URLSearchParams({ To: to, From: from, Body: text, StatusCallback: statusCallback }),
        isHeld
      ).pipe(
        Effect.mapError(withoutReply(true)),
        Effect.flatMap((reply) => resultOf(to, reply))
      )

    const probe = request(".json").pipe(
      Effect.mapError(({ message }) => new ProviderUnavailable({ response: storableText(message, maxResponse) })),
      Effect.flatMap((reply) => {
        if (reply.status !== 200) return new ProviderUnavailable({ response: replyText(reply) })
        return reply.state === "active"
          ? Effect.void
          : new ProviderUnavailable({ response: `The status of the account is ${JSON.stringify(reply.state)}` })
      })
    )

    return { provider: "twilio", address: account.address, send, probe }
  })
)
