import { Schema } from "effect"

/** Where programs submit mail over SMTP (RFC 6409, RFC 8314). */
export const SubmissionAddress = Schema.Struct({
  host: Schema.String.annotations({
    description:
      "The host to connect to: `SUBMISSION_HOST`, or the host of `PUBLIC_URL` if the service listens on all interfaces."
  }),
  port: Schema.optional(
    Schema.Int.annotations({ description: "The port, with STARTTLS if `startTls`. Absent: `SUBMISSION_PORT` is 0." })
  ),
  tlsPort: Schema.optional(
    Schema.Int.annotations({ description: "The port with implicit TLS. Absent: `SUBMISSIONS_PORT` is 0." })
  ),
  startTls: Schema.Boolean.annotations({
    description:
      "Whether `port` has STARTTLS. Without a certificate, programs on other machines can't authenticate at it."
  })
}).annotations({ identifier: "SubmissionAddress" })
export type SubmissionAddress = typeof SubmissionAddress.Type
