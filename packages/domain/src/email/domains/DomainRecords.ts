import type { DnsRecord } from "./EmailDomain.js"
import { localDomain } from "./LocalDomain.js"

/** The names of a domain's two keys: one signs, the other is ready to. */
export const dkimSelectors = ["sm1", "sm2"] as const
export type DkimSelector = (typeof dkimSelectors)[number]

export const otherSelector = (selector: DkimSelector): DkimSelector => (selector === "sm1" ? "sm2" : "sm1")

/** What of a domain its records depend on. */
export interface DomainFacts {
  readonly domain: string
  readonly verificationToken: string
  /** The selector that signs. */
  readonly activeSelector: DkimSelector
  /** By selector: the public key (SubjectPublicKeyInfo) in base64. */
  readonly publicKeys: Readonly<Record<DkimSelector, string>>
  readonly receiving: boolean
  /** Whether it was verified once: its mail is signed, and the key that does is the one that matters. */
  readonly wasVerified: boolean
}

/** How mail leaves and comes back here. */
export interface MailRoute {
  /** `MAIL_HOSTNAME` */
  readonly mailHostname: string
  /** `SPF_INCLUDE` */
  readonly spfInclude: string | null
}

export type RecordPurpose = "ownership" | DkimSelector | "bounces" | "spf" | "dmarc" | "receiving"

/** A record that a domain's owner is asked to publish. */
export interface WantedRecord {
  readonly purpose: RecordPurpose
  readonly type: "TXT" | "MX"
  readonly name: string
  readonly value: string
  readonly priority?: number
  readonly description: string
  /** Whether the domain is not verified without it. */
  readonly required: boolean
}

const priority = 10

const spfMechanism = ({ mailHostname, spfInclude }: MailRoute): string =>
  (spfInclude === null ? `a:${mailHostname}` : `include:${spfInclude}`).toLowerCase()

/** What an SPF record of the return path must name. */
export const returnPathMechanism = spfMechanism

const keyRecord = (facts: DomainFacts, selector: DkimSelector): WantedRecord => {
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

/** Without effect on mail; aggregate reports go to the postmaster of a domain that receives (RFC 7489 section 6.3). */
const dmarcPolicy = ({ domain, receiving }: DomainFacts): string =>
  receiving ? `v=DMARC1; p=none; rua=mailto:postmaster@${domain}` : "v=DMARC1; p=none"

const publicRecords = (facts: DomainFacts, route: MailRoute): ReadonlyArray<WantedRecord> => [
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
    value: dmarcPolicy(facts),
    description: "Advised, not required: what receivers do with mail that only claims to be yours (DMARC)",
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
        } as const
      ]
    : [])
]

/** All that is asked for, in the order in which it is shown; nothing of the domain for which the operator vouches. */
export const wantedRecords = (facts: DomainFacts, route: MailRoute): ReadonlyArray<WantedRecord> =>
  facts.domain === localDomain ? [] : publicRecords(facts, route)

/** A record as the domain's owner sees it. */
export const dnsRecord = ({ description, name, priority: order, type, value }: WantedRecord): DnsRecord => ({
  type,
  name,
  value,
  ttl: "3600",
  description,
  ...(order === undefined ? {} : { priority: order })
})
