import type { DnsRecord } from "./EmailDomain.js"

/** Whether a host name (`MAIL_HOSTNAME`) can resolve on other hosts, so that DNS records may point to it. */
export const isPublicHostname = (name: string): boolean => {
  const labels = name.toLowerCase().replace(/\.$/, "").split(".")
  return labels.length > 1 && labels.at(-1) !== "localhost"
}

/** The advice for a host name that is not public. */
export const hostnameAdvice = (name: string): string =>
  `DNS records would point to ${name}, which other hosts can't resolve: set MAIL_HOSTNAME to this host's public name before publishing the records`

/**
 * The local domain of every installation, with the address of the first sender. The name is reserved (RFC 6761): it
 * can't be registered and does not resolve, so it counts as verified and has no DNS records.
 */
export const localDomain = "localhost.test"

/** Whether a domain is the local domain, or one below it, as in the first senders of later organizations. */
export const isLocalDomain = (domain: string): boolean => domain === localDomain || domain.endsWith(`.${localDomain}`)

/** The DKIM selectors of a domain: one signs, the other is published for the next rotation. */
export const dkimSelectors = ["sm1", "sm2"] as const
export type DkimSelector = (typeof dkimSelectors)[number]

export const otherSelector = (selector: DkimSelector): DkimSelector => (selector === "sm1" ? "sm2" : "sm1")

/** The properties of a domain that determine its DNS records. */
export interface DomainFacts {
  readonly domain: string
  readonly verificationToken: string
  /** The selector of the key that signs. */
  readonly activeSelector: DkimSelector
  /** Public keys by selector: SubjectPublicKeyInfo in base64. */
  readonly publicKeys: Readonly<Record<DkimSelector, string>>
  readonly receiving: boolean
  /** The host of links in tracked mail; null for that of `PUBLIC_URL`. */
  readonly trackingDomain: string | null
  /** Whether the domain was verified before: then only the active selector's key is required. */
  readonly wasVerified: boolean
}

/** The hosts that send mail, receive bounces and serve links. */
export interface MailRoute {
  /** The setting `MAIL_HOSTNAME`. */
  readonly mailHostname: string
  /** The setting `SPF_INCLUDE`. */
  readonly spfInclude: string | null
  /** The host of the setting `PUBLIC_URL`. */
  readonly publicHost: string
}

export type RecordPurpose =
  | "ownership"
  | DkimSelector
  | "bounces"
  | "spf"
  | "dmarc"
  | "receiving"
  | "tlsReports"
  | "tracking"

/** A DNS record that the domain's owner has to publish. */
export interface ExpectedRecord {
  readonly purpose: RecordPurpose
  readonly type: "CNAME" | "MX" | "TXT"
  readonly name: string
  readonly value: string
  readonly priority?: number
  readonly description: string
  /** Whether verification requires the record. */
  readonly required: boolean
}

const priority = 10

const spfMechanism = ({ mailHostname, spfInclude }: MailRoute): string =>
  (spfInclude === null ? `a:${mailHostname}` : `include:${spfInclude}`).toLowerCase()

/** The mechanism that the SPF record of the return path must contain. */
export const returnPathMechanism = spfMechanism

const keyRecord = (facts: DomainFacts, selector: DkimSelector): ExpectedRecord => {
  const signs = facts.activeSelector === selector
  return {
    purpose: selector,
    type: "TXT",
    name: `${selector}._domainkey.${facts.domain}`,
    value: `v=DKIM1; k=rsa; p=${facts.publicKeys[selector]}`,
    description: signs ? "DKIM: the key that signs your mail" : "DKIM: the key that signs after the next rotation",
    required: signs || !facts.wasVerified
  }
}

/**
 * The address of the DMARC and TLS reports about a domain. It lies below the domain, so that receivers need no record
 * that permits it (RFC 7489 section 7.1), and needs no MX record of the domain itself.
 */
export const reportAddress = (domain: string): string => `reports@bounce.${domain}`

const publicRecords = (facts: DomainFacts, route: MailRoute): ReadonlyArray<ExpectedRecord> => [
  {
    purpose: "ownership",
    type: "TXT",
    name: `_switchboard.${facts.domain}`,
    value: `switchboard-verification=${facts.verificationToken}`,
    description: "Proves that the domain is yours",
    required: true
  },
  keyRecord(facts, "sm1"),
  keyRecord(facts, "sm2"),
  {
    purpose: "bounces",
    type: "MX",
    name: `bounce.${facts.domain}`,
    value: route.mailHostname,
    priority,
    description: "Return path: brings back what could not be delivered",
    required: true
  },
  {
    purpose: "spf",
    type: "TXT",
    name: `bounce.${facts.domain}`,
    value: `v=spf1 ${spfMechanism(route)} ~all`,
    description: "Return path: says who may send for it (SPF)",
    required: true
  },
  {
    purpose: "dmarc",
    type: "TXT",
    name: `_dmarc.${facts.domain}`,
    value: `v=DMARC1; p=none; rua=mailto:${reportAddress(facts.domain)}`,
    description:
      "Advised, not required: what receivers do with mail that only claims to be yours, and where they report it (DMARC)",
    required: false
  },
  ...(facts.receiving
    ? [
        {
          purpose: "receiving",
          type: "MX",
          name: facts.domain,
          value: route.mailHostname,
          priority,
          description: "Brings mail to the domain here",
          required: false
        } as const,
        {
          purpose: "tlsReports",
          type: "TXT",
          name: `_smtp._tls.${facts.domain}`,
          value: `v=TLSRPTv1; rua=mailto:${reportAddress(facts.domain)}`,
          description: "Advised, not required: where senders report connections that failed for want of TLS (TLSRPT)",
          required: false
        } as const
      ]
    : []),
  ...(facts.trackingDomain === null
    ? []
    : [
        {
          purpose: "tracking",
          type: "CNAME",
          name: facts.trackingDomain,
          value: route.publicHost,
          description: "Leads the links of tracked mail here",
          required: false
        } as const
      ])
]

/** Whether a name of the domain has other records, so that it can't be an alias (RFC 1034 section 3.6.2). */
export const isRecordName = (domain: string, name: string): boolean =>
  name === domain ||
  ["_switchboard", "_dmarc", "_smtp._tls", "bounce", ...dkimSelectors.map((selector) => `${selector}._domainkey`)].some(
    (label) => name === `${label}.${domain}`
  )

/** All records to publish, in display order. The local domain has none. */
export const expectedRecords = (facts: DomainFacts, route: MailRoute): ReadonlyArray<ExpectedRecord> =>
  facts.domain === localDomain ? [] : publicRecords(facts, route)

/** The record as the API returns it. */
export const dnsRecord = ({ description, name, priority: order, type, value }: ExpectedRecord): DnsRecord => ({
  type,
  name,
  value,
  ttl: "3600",
  description,
  ...(order === undefined ? {} : { priority: order })
})
