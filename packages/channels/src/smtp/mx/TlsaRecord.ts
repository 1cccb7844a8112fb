import { createHash, type X509Certificate } from "node:crypto"
import { Option } from "effect"

/** A usable TLSA record (RFC 6698, RFC 7671, RFC 7672). */
export interface TlsaRecord {
  /**
   * The TLSA base domain (RFC 7672 section 2.2.3): the mail server's name after its aliases, or before them. It is the name
   * in SNI, and a name that a certificate under `trust-anchor` may have.
   */
  readonly name: string
  /** `trust-anchor`: DANE-TA(2). `end-entity`: DANE-EE(3). */
  readonly usage: "trust-anchor" | "end-entity"
  /** The matched part: the complete certificate, or its public key. */
  readonly selector: "certificate" | "key"
  /** `full`: the content itself. */
  readonly matching: "full" | "sha256" | "sha512"
  /** In hexadecimal. */
  readonly data: string
}

const usages: Readonly<Record<number, TlsaRecord["usage"]>> = { 2: "trust-anchor", 3: "end-entity" }
const selectors: Readonly<Record<number, TlsaRecord["selector"]>> = { 0: "certificate", 1: "key" }
const matchings: Readonly<Record<number, TlsaRecord["matching"]>> = { 0: "full", 1: "sha256", 2: "sha512" }

/** In octets. */
const digestLengths = { sha256: 32, sha512: 64 }

/**
 * A TLSA record of a name; none if it is unusable: of a usage that SMTP does not take (RFC 7672 section 3.1.3), with unknown
 * parameters, or with data of the wrong length.
 */
export const usableTlsa = (
  name: string,
  record: {
    readonly usage: number
    readonly selector: number
    readonly matchingType: number
    readonly certificate: Buffer
  }
): Option.Option<TlsaRecord> => {
  const usage = usages[record.usage]
  const selector = selectors[record.selector]
  const matching = matchings[record.matchingType]
  if (usage === undefined || selector === undefined || matching === undefined) return Option.none()
  const { length } = record.certificate
  if (matching === "full" ? length === 0 : length !== digestLengths[matching]) return Option.none()
  return Option.some({ name, usage, selector, matching, data: record.certificate.toString("hex") })
}

const matches = (certificate: X509Certificate, { data, matching, selector }: TlsaRecord): boolean => {
  const content =
    selector === "certificate" ? certificate.raw : certificate.publicKey.export({ type: "spki", format: "der" })
  return data === (matching === "full" ? content.toString("hex") : createHash(matching).update(content).digest("hex"))
}

/** Bounds the signatures that are checked. Servers send fewer than 5 certificates. */
const maxCertificates = 16

/** The certificates that the server sent, its own first. */
const sentCertificates = (leaf: X509Certificate): ReadonlyArray<X509Certificate> => {
  const sent: Array<X509Certificate> = []
  for (let one: X509Certificate | undefined = leaf; one !== undefined; one = one.issuerCertificate) {
    if (sent.length === maxCertificates) return sent
    sent.push(one)
  }
  return sent
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo)

/** Whether signatures lead from the server's certificate to one that a record names. Path lengths are not checked. */
const hasAnchor = (leaf: X509Certificate, anchors: ReadonlyArray<TlsaRecord>, now: number): boolean => {
  const [, ...issuers] = sentCertificates(leaf)
  const unreached = new Set(issuers)
  const reached = [leaf]
  for (const subject of reached) {
    for (const issuer of unreached) {
      const isIssuer =
        issuer.ca && isValidAt(issuer, now) && subject.checkIssued(issuer) && subject.verify(issuer.publicKey)
      if (!isIssuer) continue
      if (anchors.some((record) => matches(issuer, record))) return true
      unreached.delete(issuer)
      reached.push(issuer)
    }
  }
  return false
}

const problemOf = (host: string, leaf: X509Certificate, records: ReadonlyArray<TlsaRecord>, now: number) => {
  if (records.some((record) => record.usage === "end-entity" && matches(leaf, record))) return null
  const anchors = records.filter(({ usage }) => usage === "trust-anchor")
  if (!hasAnchor(leaf, anchors, now)) return `The certificate of ${host} matches none of its TLSA records`
  if (!isValidAt(leaf, now)) return `The certificate of ${host} has expired or is not valid yet`
  const names = [host, ...anchors.map(({ name }) => name)]
  return names.some((name) => leaf.checkHost(name) !== undefined)
    ? null
    : `The certificate of ${host} is for another name, which its TLSA records do not allow`
}

/**
 * Why the certificate of a mail server does not satisfy its TLSA records; null if it does. Under `end-entity` neither name
 * nor dates count; under `trust-anchor` the dates, and the name of the server or the TLSA base domain do (RFC 7672 section
 * 3.1). The recipient's domain is not accepted as a name: connections are shared by the domains of a server.
 */
export const daneProblem = (
  host: string,
  leaf: X509Certificate | undefined,
  records: ReadonlyArray<TlsaRecord>,
  now: number
): string | null => {
  if (leaf === undefined) return `${host} sent no certificate`
  try {
    return problemOf(host, leaf, records, now)
  } catch {
    // Node.js throws for keys of unknown algorithms.
    return `The certificate of ${host} can't be checked against its TLSA records`
  }
}
