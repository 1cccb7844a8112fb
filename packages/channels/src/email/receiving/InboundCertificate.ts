import { readFile } from "node:fs/promises"
import { createSecureContext } from "node:tls"
import { Data, Effect } from "effect"

/** Where the certificate is, and its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** There is no such certificate, or it is none; the message says why. */
export class CertificateUnusable extends Data.TaggedError("CertificateUnusable")<{ readonly message: string }> {}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Reads a certificate and its key (PEM), and sees that they fit. */
export const readCertificate = (files: CertificateFiles) =>
  Effect.tryPromise({
    try: async () => {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)])
      createSecureContext({ cert, key })
      return { cert, key }
    },
    catch: (cause) =>
      new CertificateUnusable({
        message: `INBOUND_TLS_CERT and INBOUND_TLS_KEY must be a certificate and its key, in PEM (${reason(cause)})`
      })
  })
