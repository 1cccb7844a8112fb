import { createHash, X509Certificate } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import type { SmtpRelay } from "@switchboard/channels/smtp/client/SmtpRelay"
import { type TlsaRecord, usableTlsa } from "@switchboard/channels/smtp/mx/TlsaRecord"
import { Effect, Option } from "effect"
import type { SMTPServerOptions } from "smtp-server"
import {
  chainCertificate,
  expiredCertificate,
  forgedCertificate,
  mxCertificate,
  otherCertificate,
  trusting
} from "../../Certificates.js"
import { outgoing, transportTo } from "../../Fixtures.js"
import { scriptedRelay } from "../../ScriptedRelay.js"
import { smtpSink } from "../../SmtpSink.js"

/** The certificates of a PEM file, in their order. */
const certificates = (pem: Buffer): ReadonlyArray<X509Certificate> =>
  pem
    .toString()
    .split(/(?=-----BEGIN CERTIFICATE-----)/)
    .map((text) => new X509Certificate(text))

const [leaf, intermediate, authority] = certificates(chainCertificate.cert)
const [expired] = certificates(expiredCertificate.cert)
const [other] = certificates(otherCertificate.cert)

interface RecordOptions {
  readonly selector?: number
  readonly matching?: number
  readonly name?: string
}

/** The TLSA record of a certificate: usage 2 or 3. */
const tlsa = (
  usage: 2 | 3,
  certificate: X509Certificate | undefined,
  { matching = 1, name = "mx.shop.test", selector = 1 }: RecordOptions = {}
): TlsaRecord => {
  const { publicKey, raw } = certificate ?? assert.fail("no certificate")
  const content = selector === 0 ? raw : publicKey.export({ type: "spki", format: "der" })
  const digest =
    matching === 0
      ? content
      : createHash(matching === 1 ? "sha256" : "sha512")
          .update(content)
          .digest()
  const record = usableTlsa(name, { usage, selector, matchingType: matching, certificate: digest })
  return Option.getOrThrow(record)
}

/** Sends a mail to a server with these options; returns what it received, and the failure. */
const sendTo = (server: SMTPServerOptions, relay: Partial<SmtpRelay>) =>
  Effect.gen(function* () {
    const sink = yield* smtpSink(server)
    const transport = yield* transportTo(sink.port, { host: "localhost", ...relay })
    const result = yield* Effect.either(transport.send(outgoing()))
    const failure = result._tag === "Left" ? result.left : null
    return { mails: sink.mails, failure: failure?._tag === "ProviderUnavailable" ? failure.response : null }
  })

const isSecure = { secure: true }

describe("TLS mode encrypt", () => {
  it.scoped("sends over TLS without checking the certificate", () =>
    Effect.gen(function* () {
      const { mails } = yield* sendTo(otherCertificate, { tls: "encrypt" })
      assert.lengthOf(mails, 1)
      assert.include(mails[0], isSecure)
    })
  )

  it.scoped("sends nothing in clear if STARTTLS is not offered", () =>
    Effect.gen(function* () {
      for (const tls of ["encrypt", "dane"] as const) {
        const { failure, mails } = yield* sendTo({ hideSTARTTLS: true }, { tls })
        assert.match(failure ?? "", /^localhost does not offer STARTTLS/)
        assert.lengthOf(mails, 0)
      }
    })
  )

  it.scoped("sends nothing in clear if STARTTLS is refused", () =>
    Effect.gen(function* () {
      for (const tls of ["encrypt", "dane"] as const) {
        const relay = yield* scriptedRelay({ EHLO: "250-relay.test\r\n250 STARTTLS" })
        const transport = yield* transportTo(relay.port, { tls })
        const failure = yield* Effect.flip(transport.send(outgoing()))
        assert.include(failure, { _tag: "ProviderUnavailable", response: "454 4.7.0 TLS not available" })
        assert.lengthOf(relay.mails, 0)
      }
    })
  )
})

describe("TLS mode require", () => {
  it.scoped("sends nothing to a server whose trusted certificate has another name", () =>
    Effect.gen(function* () {
      yield* trusting(otherCertificate.cert)
      const { failure, mails } = yield* sendTo(otherCertificate, { tls: "require" })
      assert.match(failure ?? "", /^TLS with localhost failed: .*other\.test/)
      assert.lengthOf(mails, 0)
    })
  )
})

describe("TLS mode dane", () => {
  for (const selector of [0, 1]) {
    for (const matching of [0, 1, 2]) {
      it.scoped(`accepts the certificate of a record 3 ${selector} ${matching}, with any name`, () =>
        Effect.gen(function* () {
          const record = tlsa(3, certificates(mxCertificate.cert)[0], { selector, matching })
          const accepted = yield* sendTo(mxCertificate, { tls: "dane", tlsa: [tlsa(3, other), record] })
          assert.include(accepted.mails[0], isSecure)
          const { failure, mails } = yield* sendTo(otherCertificate, { tls: "dane", tlsa: [record] })
          assert.match(failure ?? "", /localhost matches none of its TLSA records/)
          assert.lengthOf(mails, 0)
        })
      )

      it.scoped(`accepts a certificate under the trust anchor of a record 2 ${selector} ${matching}`, () =>
        Effect.gen(function* () {
          for (const anchor of [authority, intermediate]) {
            const records = [tlsa(2, anchor, { selector, matching })]
            const { mails } = yield* sendTo(chainCertificate, { tls: "dane", tlsa: records })
            assert.include(mails[0], isSecure)
          }
        })
      )
    }
  }

  it.scoped("accepts an expired certificate under an end-entity record alone", () =>
    Effect.gen(function* () {
      const accepted = yield* sendTo(expiredCertificate, { tls: "dane", tlsa: [tlsa(3, expired)] })
      assert.include(accepted.mails[0], isSecure)
      const { failure, mails } = yield* sendTo(expiredCertificate, { tls: "dane", tlsa: [tlsa(2, authority)] })
      assert.match(failure ?? "", /localhost has expired/)
      assert.lengthOf(mails, 0)
    })
  )

  it.scoped("requires a name of the server under a trust anchor", () =>
    Effect.gen(function* () {
      const records = [tlsa(2, authority, { name: "mx.other.test" })]
      const { failure, mails } = yield* sendTo(chainCertificate, { tls: "dane", tlsa: records })
      assert.match(failure ?? "", /localhost is for another name/)
      assert.lengthOf(mails, 0)
    })
  )

  const { cert: otherCert, key: otherKey } = otherCertificate
  const [chainLeaf = "", ...chainIssuers] = chainCertificate.cert.toString().split(/(?=-----BEGIN CERTIFICATE-----)/)
  const forged: Record<string, [SMTPServerOptions, ReadonlyArray<TlsaRecord>]> = {
    "a certificate that the trust anchor beside it did not issue": [
      { key: otherKey, cert: Buffer.concat([otherCert, Buffer.from(chainIssuers.join(""))]) },
      [tlsa(2, authority, { name: "other.test" }), tlsa(2, intermediate, { name: "other.test" })]
    ],
    "a certificate with the issuer's name that the issuer did not sign": [
      { key: forgedCertificate.key, cert: Buffer.concat([forgedCertificate.cert, Buffer.from(chainIssuers.join(""))]) },
      [tlsa(2, authority), tlsa(2, intermediate)]
    ],
    "a chain without its intermediate certificate": [
      { key: chainCertificate.key, cert: Buffer.from(chainLeaf + (chainIssuers[1] ?? "")) },
      [tlsa(2, authority)]
    ],
    "the server's own certificate as trust anchor": [
      { key: otherKey, cert: otherCert },
      [tlsa(2, other, { name: "other.test" })]
    ],
    "an issuer as end entity": [chainCertificate, [tlsa(3, authority), tlsa(3, intermediate)]],
    "any certificate without records": [chainCertificate, []]
  }
  for (const [what, [server, records]] of Object.entries(forged)) {
    it.scoped(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const { failure, mails } = yield* sendTo(server, { tls: "dane", tlsa: records })
        assert.match(failure ?? "", /localhost matches none of its TLSA records/)
        assert.lengthOf(mails, 0)
      })
    )
  }

  it.scoped("sends the TLSA base domain in SNI", () =>
    Effect.gen(function* () {
      const names: Array<string> = []
      const server: SMTPServerOptions = {
        ...mxCertificate,
        SNICallback: (name, callback) => {
          names.push(name)
          callback(null, undefined)
        }
      }
      yield* sendTo(server, { tls: "dane", tlsa: [tlsa(3, leaf)] })
      assert.deepStrictEqual(names, ["mx.shop.test"])
    })
  )
})
