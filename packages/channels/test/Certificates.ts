import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { Effect } from "effect"

/** A certificate and its key in PEM. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** A certificate of the folder `certificates`, with its key and its issuers. Self-signed ones are valid for 100 years. */
const certificate = (name: string): Certificate => {
  const pem = readFileSync(join(import.meta.dirname, `certificates/${name}.pem`), "utf8")
  const end = pem.indexOf("-----BEGIN CERTIFICATE-----")
  return { key: Buffer.from(pem.slice(0, end)), cert: Buffer.from(pem.slice(end)) }
}

/** The certificate of relay.test, for the address 127.0.0.1. */
export const relayCertificate = certificate("relay")

/** The certificate of mx.switchboard.test. */
export const mxCertificate = certificate("mx")

/** The certificate of other.test. */
export const otherCertificate = certificate("other")

/** The certificate of hook.test and 127.0.0.1. */
export const hookCertificate = certificate("hook")

/** The certificate of mta-sts.shop.test, the host of an MTA-STS policy. */
export const policyCertificate = certificate("policy")

/** The certificate of mx.shop.test, followed by its issuer and by the CA of the latter. */
export const chainCertificate = certificate("chain")

/** The same, expired in 2025. */
export const expiredCertificate = certificate("expired")

/** A certificate of mx.shop.test whose issuer has the name, but not the key, of the issuer of `chainCertificate`. */
export const forgedCertificate = certificate("forged")

/** Writes a certificate and its key to files; returns their paths. */
export const filesOf = (pair: Certificate) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-certificate-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") }
      writeFileSync(files.cert, pair.cert)
      writeFileSync(files.key, pair.key, { mode: 0o600 })
      return files
    }
  )

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
