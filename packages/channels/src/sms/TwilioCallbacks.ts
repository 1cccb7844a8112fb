import { createHmac } from "node:crypto"
import {
  type CallbackReader,
  type InvalidFields,
  twilioCallbackPath
} from "@switchboard/services/providers/ProviderCallbacks"
import type { ProviderEvent, Receipt } from "@switchboard/services/providers/ProviderEvent"
import { Either, Redacted } from "effect"
import { isEqual } from "../network/ProviderHttp.js"
import { storableText } from "../StorableText.js"
import { maxSidLength, type TwilioAccount } from "./TwilioAccount.js"

/** In characters. */
const maxPhoneLength = 66

const defaultPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" }

/** The forms of a URL that Twilio may have signed: as configured, with its port, and without one. */
const urlForms = (url: string): ReadonlyArray<string> => {
  const { port, protocol } = new URL(url)
  const withoutPort = url.replace(/^(https?:\/\/[^/?#]*?):\d+(?=[/?#]|$)/i, "$1")
  const withPort = withoutPort.replace(/^https?:\/\/[^/?#]+/i, `$&:${port || defaultPorts[protocol]}`)
  return [...new Set([url, withoutPort, withPort])]
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Names and values in the order of names, then of values. Equal pairs are signed once. */
const signedParameters = (parameters: URLSearchParams): string =>
  [...parameters]
    .sort(([name, value], [otherName, otherValue]) => compare(name, otherName) || compare(value, otherValue))
    .filter(([name, value], at, all) => name !== all[at - 1]?.[0] || value !== all[at - 1]?.[1])
    .flat()
    .join("")

/** The value of `X-Twilio-Signature` for a form (Twilio, "Validating signatures from Twilio"). */
export const twilioSignature = (
  authToken: Redacted.Redacted<string>,
  url: string,
  parameters: URLSearchParams
): string =>
  createHmac("sha1", Redacted.value(authToken))
    .update(url + signedParameters(parameters))
    .digest("base64")

/** The parameters of a form, which is UTF-8. */
const parametersOf = (body: Uint8Array) => new URLSearchParams(new TextDecoder().decode(body))

/** Values of MessageStatus that end a delivery. All others change nothing. */
const statusOf: ReadonlyMap<string, Receipt["status"]> = new Map([
  ["delivered", "delivered"],
  ["read", "read"],
  ["undelivered", "failed"],
  ["failed", "failed"],
  ["canceled", "failed"]
])

const required = (parameters: URLSearchParams, names: ReadonlyArray<string>): InvalidFields =>
  Object.fromEntries(names.flatMap((name) => (parameters.has(name) ? [] : [[name, ["is required"]]])))

const readReceipt = (parameters: URLSearchParams, at: string): ReadonlyArray<ProviderEvent> => {
  const stated = parameters.get("MessageStatus") ?? ""
  const status = statusOf.get(stated)
  if (status === undefined) return []
  const to = parameters.get("To")
  return [
    {
      _tag: "Receipt",
      channel: "sms",
      providerMessageIds: [storableText(parameters.get("MessageSid") ?? "", maxSidLength)],
      phone: to === null ? null : storableText(to, maxPhoneLength),
      status,
      ...(status === "failed" ? { errorCode: storableText(parameters.get("ErrorCode") || stated, 64) } : {}),
      response: stated,
      at
    }
  ]
}

const readText = (parameters: URLSearchParams, at: string): ReadonlyArray<ProviderEvent> => [
  {
    _tag: "ReceivedText",
    channel: "sms",
    from: storableText(parameters.get("From") ?? "", maxPhoneLength),
    to: storableText(parameters.get("To") ?? "", maxPhoneLength),
    text: storableText(parameters.get("Body") ?? ""),
    providerMessageId: storableText(parameters.get("MessageSid") ?? "", maxSidLength),
    part: null,
    at
  }
]

/** Reads the status callbacks and the received messages of an account. Its token signs them. */
export const twilioCallbacks = ({ authToken }: TwilioAccount, publicUrl: string): CallbackReader => {
  const urls = urlForms(publicUrl + twilioCallbackPath)
  return {
    isSigned: ({ body, query, signature }) => {
      const parameters = parametersOf(body)
      return urls.some((url) => isEqual(twilioSignature(authToken, url + query, parameters), signature))
    },
    readEvents: (body, at) => {
      const parameters = parametersOf(body)
      const isStatus = parameters.has("MessageStatus")
      const missing = required(parameters, isStatus ? ["MessageSid"] : ["MessageSid", "From", "To", "Body"])
      if (Object.keys(missing).length > 0) return Either.left(missing)
      return Either.right(isStatus ? readReceipt(parameters, at) : readText(parameters, at))
    }
  }
}
