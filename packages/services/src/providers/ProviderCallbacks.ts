import { ResourceNotFoundError, UnauthorizedError, ValidationError } from "@switchboard/domain/Errors"
import { Context, DateTime, Effect, type Either, Option } from "effect"
import { logThrottled } from "../LogThrottle.js"
import type { ProviderEvent } from "./ProviderEvent.js"
import { ProviderEvents } from "./ProviderEvents.js"

/** The path of the callbacks of Twilio, below `PUBLIC_URL`. */
export const twilioCallbackPath = "/v1/providers/twilio"

/** The path of the callbacks of WhatsApp, below `PUBLIC_URL`. */
export const whatsappCallbackPath = "/v1/providers/whatsapp"

/** A callback as it was received. */
export interface ProviderCallback {
  /** The header with the signature. */
  readonly signature: string
  /** The query with its question mark; empty if there is none. */
  readonly query: string
  readonly body: Uint8Array
}

/** The errors of a callback, by field. */
export type InvalidFields = Readonly<Record<string, ReadonlyArray<string>>>

/** Reads the callbacks of one provider. */
export interface CallbackReader {
  /** Whether the provider signed the callback. Takes the same time for every wrong signature. */
  readonly isSigned: (callback: ProviderCallback) => boolean
  /** The events of a signed body; none for a status that changes nothing. `at` is the time of its arrival. */
  readonly readEvents: (body: Uint8Array, at: string) => Either.Either<ReadonlyArray<ProviderEvent>, InvalidFields>
}

/** The readers of the configured providers. */
export class CallbackReaders extends Context.Tag("services/CallbackReaders")<
  CallbackReaders,
  {
    readonly twilio: Option.Option<CallbackReader>
    readonly whatsapp: Option.Option<
      CallbackReader & {
        /** Whether a text is the verify token, by which Meta checks that the URL is ours. Takes the same time for each. */
        readonly isVerifyToken: (token: string) => boolean
      }
    >
  }
>() {}

const unverified = new UnauthorizedError({ message: "The verify token is missing or wrong" })

const unsigned = new UnauthorizedError({ message: "The signature of the callback is missing or wrong" })

/** Receives callbacks of providers: receipts, and messages to numbers of organizations. */
export class ProviderCallbacks extends Effect.Service<ProviderCallbacks>()("services/ProviderCallbacks", {
  effect: Effect.gen(function* () {
    const readers = yield* CallbackReaders
    const events = yield* ProviderEvents

    const refuse = (provider: string) =>
      Effect.zipRight(
        logThrottled(
          `callbacks of ${provider}`,
          Effect.logWarning("A callback with a wrong signature is refused: check PUBLIC_URL and the secret").pipe(
            Effect.annotateLogs({ provider })
          )
        ),
        unsigned
      )

    /**
     * Stores the events of a signed callback. A repeat changes nothing. The body is read only if the provider is
     * configured and the callback has a signature.
     */
    const receive = Effect.fnUntraced(function* <E, R>(
      provider: keyof typeof readers,
      {
        body,
        query,
        signature
      }: Pick<ProviderCallback, "query" | "signature"> & { readonly body: Effect.Effect<Uint8Array, E, R> }
    ) {
      const reader = readers[provider]
      if (Option.isNone(reader)) return yield* new ResourceNotFoundError({ resource: "provider", id: provider })
      if (signature === "") return yield* unsigned
      const octets = yield* body
      if (!reader.value.isSigned({ signature, query, body: octets })) return yield* refuse(provider)
      const found = yield* Effect.mapError(
        reader.value.readEvents(octets, DateTime.formatIso(yield* DateTime.now)),
        (fields) => new ValidationError({ message: "The callback is invalid", fields })
      )
      yield* Effect.forEach(found, events.receive, { concurrency: "unbounded", discard: true })
    })

    /** Checks the verify token with which Meta registers the callback URL. */
    const confirm = (token: string) =>
      Option.match(readers.whatsapp, {
        onNone: (): Effect.Effect<void, ResourceNotFoundError | UnauthorizedError> =>
          new ResourceNotFoundError({ resource: "provider", id: "whatsapp" }),
        onSome: ({ isVerifyToken }) => (isVerifyToken(token) ? Effect.void : unverified)
      })

    return { receive, confirm } as const
  })
}) {}
