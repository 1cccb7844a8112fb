import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { Effect } from "effect"

/** A self-signed certificate; null if OpenSSL is not installed. */
export const makeCertificate = (commonName: string, alternativeNames: string) => {
  const directory = mkdtempSync(join(tmpdir(), "switchboard-tls-"))
  const file = (name: string) => join(directory, name)
  try {
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", `/CN=${commonName}`, "-addext", `subjectAltName=${alternativeNames}`],
        ...["-keyout", file("key"), "-out", file("cert")]
      ],
      { stdio: "ignore" }
    )
    return { key: readFileSync(file("key")), cert: readFileSync(file("cert")) }
  } catch {
    return null
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Trusts the certificate like NODE_EXTRA_CA_CERTS, which Node.js reads only at the start of a process. */
export const trusting = (ca: Buffer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = tls.createSecureContext
      tls.createSecureContext = (options) => original({ ca, ...options })
      return original
    }),
    (original) =>
      Effect.sync(() => {
        tls.createSecureContext = original
      })
  )
