import { readFile } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { Data, Effect } from "effect"

/** The paths of a certificate and its private key, both in PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** The certificate or its key can't be read, or they don't match; the message has the reason. */
export class InvalidCertificate extends Data.TaggedError("InvalidCertificate")<{ readonly message: string }> {}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Reads a certificate and its private key, and verifies that they match. */
export const readCertificate = (files: CertificateFiles) =>
  Effect.tryPromise({
    try: async () => {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)])
      createSecureContext({ cert, key })
      return { cert, key }
    },
    catch: (cause) =>
      new InvalidCertificate({
        message: `INBOUND_TLS_CERT and INBOUND_TLS_KEY must be the paths of a certificate and its private key in PEM (${reason(cause)})`
      })
  })
