import { assert } from "@effect/vitest"
import { filesOf, mxCertificate } from "@switchboard/channels/testing/Certificates"
import { authPlain, rawClient } from "@switchboard/channels/testing/RawClient"
import { freePort } from "@switchboard/domain/testing/FreePort"
import { Context, Effect, Layer } from "effect"
import { LiveService } from "../../LiveService.js"

interface Ports {
  /** With STARTTLS. */
  readonly startTls: number
  /** With implicit TLS. */
  readonly tls: number
}

/** The ports for submission of a service. */
export class SubmissionService extends Context.Tag("test/SubmissionService")<SubmissionService, Ports>() {
  /** A service with a certificate for submission; `service` starts it with these settings. */
  static readonly layer = <A, E, R>(service: (settings: Readonly<Record<string, string>>) => Layer.Layer<A, E, R>) =>
    Layer.unwrapScoped(
      Effect.gen(function* () {
        const ports = { startTls: yield* freePort, tls: yield* freePort }
        const files = yield* filesOf(mxCertificate)
        return Layer.merge(
          service({
            SUBMISSION_PORT: String(ports.startTls),
            SUBMISSIONS_PORT: String(ports.tls),
            SUBMISSION_TLS_CERT: files.cert,
            SUBMISSION_TLS_KEY: files.key
          }),
          Layer.succeed(SubmissionService, ports)
        )
      })
    )
}

/** The message id in the reply to an accepted mail. */
export const idOf = (response: string): string =>
  /Accepted as ([0-9a-f-]{36})/.exec(response)?.[1] ?? assert.fail(response)

/** A client that has sent EHLO. */
export const connection = Effect.gen(function* () {
  const client = yield* rawClient((yield* SubmissionService).startTls)
  yield* client.sendLine("EHLO client.test")
  return client
})

/** A session that has authenticated, and sends what a test writes. */
export const session = Effect.gen(function* () {
  const { key } = yield* LiveService
  const client = yield* connection
  assert.match(yield* client.sendLine(authPlain(key)), /^235 /)
  return client
})

/** A session after the reply to DATA. */
export const dataSession = Effect.fnUntraced(function* (recipients: ReadonlyArray<string> = ["ada@world.test"]) {
  const client = yield* session
  yield* client.sendLine("MAIL FROM:<bounces@elsewhere.test>")
  for (const recipient of recipients) assert.match(yield* client.sendLine(`RCPT TO:<${recipient}>`), /^250 /)
  assert.match(yield* client.sendLine("DATA"), /^354 /)
  return client
})

/** Sends these lines in a transaction; returns the reply to the final dot. */
export const transaction = (recipients: ReadonlyArray<string>, lines: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(dataSession(recipients), ({ sendLine }) => sendLine([...lines, "."].join("\r\n"))))

/** The lines of a mail with these header fields. */
export const rawMail = (sender: string, ...fields: ReadonlyArray<string>) => [
  `From: Shop <${sender}>`,
  "To: Ada <ada@world.test>",
  "Subject: Raw",
  ...fields,
  "",
  "Hello",
  "..dots",
  "  two  spaces  "
]
