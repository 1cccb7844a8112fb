import { Effect, Predicate } from "effect"
import { WebhookHeaderError } from "./WebhookError.js"

/** The headers of a request: those of `fetch`, or an object with names in any case, as in Node.js. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const hasGet = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers.get === "function"

const valueOf = (headers: WebhookHeaders, name: string): string => {
  // A program without types can give none.
  if (!Predicate.isObject(headers)) return ""
  if (hasGet(headers)) return headers.get(name) ?? ""
  const [, value = ""] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : value.join(" ")
}

/** A header that a webhook must have, in a form. */
const required = (headers: WebhookHeaders, header: string, form: RegExp) => {
  const value = valueOf(headers, header)
  if (form.test(value)) return Effect.succeed(value)
  return new WebhookHeaderError({
    message: `The header ${header} is ${value === "" ? "missing" : "malformed"}`,
    header
  })
}

/** The headers of Standard Webhooks: the id of the event, the time of the attempt in seconds, and the signatures. */
export const webhookHeaders = (headers: WebhookHeaders) =>
  Effect.all({
    id: required(headers, "webhook-id", /^\S+$/),
    timestamp: required(headers, "webhook-timestamp", /^\d{1,12}$/),
    signatures: Effect.map(required(headers, "webhook-signature", /\S/), (list) => list.split(/\s+/))
  })
