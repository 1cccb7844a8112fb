import { Data } from "effect"

/** A header is missing or malformed: the request is no webhook, or the framework changed its headers. */
export class WebhookHeaderError extends Data.TaggedError("WebhookHeaderError")<{
  readonly message: string
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature`. */
  readonly header: string
}> {}

/** The time of the request is too long ago or in the future: the request is a repetition, or a clock is wrong. */
export class WebhookTimestampError extends Data.TaggedError("WebhookTimestampError")<{
  readonly message: string
  /** The time of the header, in seconds since 1970. */
  readonly timestamp: number
}> {}

/** No signature of the request matches a secret: the secret is of another endpoint, or the body was changed. */
export class WebhookSignatureError extends Data.TaggedError("WebhookSignatureError")<{ readonly message: string }> {}

/** The body is not the text or the bytes that were received, or the signature matches and it is no event. */
export class WebhookBodyError extends Data.TaggedError("WebhookBodyError")<{ readonly message: string }> {}

/** The receiver's secret is missing or malformed. */
export class WebhookSecretError extends Data.TaggedError("WebhookSecretError")<{ readonly message: string }> {}

/** The errors of a verification. */
export type WebhookError =
  | WebhookHeaderError
  | WebhookTimestampError
  | WebhookSignatureError
  | WebhookBodyError
  | WebhookSecretError
