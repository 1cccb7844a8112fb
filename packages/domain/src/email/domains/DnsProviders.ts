import { Schema } from "effect"

/** The DNS provider of a domain, detected by the names of its name servers. */
export class DetectedRegistrar extends Schema.Class<DetectedRegistrar>("DetectedRegistrar")({
  domain: Schema.String,
  nameservers: Schema.Array(Schema.String),
  zone: Schema.optional(Schema.String.annotations({ description: "the name that has the name servers" })),
  provider: Schema.optional(Schema.String),
  guideUrl: Schema.optional(Schema.String.annotations({ description: "the guide to adding records at the provider" }))
}) {}

/** A provider of DNS hosting. */
export interface DnsProvider {
  readonly provider: string
  readonly guideUrl: string
}

/** Providers by the suffix of their name servers' host names. */
const providers: ReadonlyArray<readonly [nameserver: RegExp, provider: string, guideUrl: string]> = [
  [
    /\.ns\.cloudflare\.com$/,
    "Cloudflare",
    "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/"
  ],
  [
    /\.awsdns-\d+\.(?:com|net|org|co\.uk)$/,
    "Amazon Route 53",
    "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html"
  ],
  [/\.domaincontrol\.com$/, "GoDaddy", "https://www.godaddy.com/help/add-a-txt-record-19232"],
  [/\.registrar-servers\.com$/, "Namecheap", "https://www.namecheap.com/support/knowledgebase/"],
  [/^ns-cloud-[a-z]\d\.googledomains\.com$/, "Google Cloud DNS", "https://cloud.google.com/dns/docs/records"],
  [
    /\.azure-dns\.(?:com|net|org|info)$/,
    "Azure DNS",
    "https://learn.microsoft.com/azure/dns/dns-operations-recordsets-portal"
  ],
  [
    /\.digitalocean\.com$/,
    "DigitalOcean",
    "https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/"
  ],
  [/\.linode\.com$/, "Linode", "https://techdocs.akamai.com/cloud-computing/docs/dns-manager"],
  [/\.gandi\.net$/, "Gandi", "https://docs.gandi.net/en/domain_names/common_operations/dns_records.html"],
  [/\.(?:ovh\.(?:net|ca)|anycast\.me)$/, "OVHcloud", "https://help.ovhcloud.com/"],
  [/\.ui-dns\.(?:com|de|org|biz)$/, "IONOS", "https://www.ionos.com/help/domains/"],
  [/\.(?:ns\.hetzner\.(?:com|de)|first-ns\.de|second-ns\.(?:com|de))$/, "Hetzner", "https://docs.hetzner.com/"],
  [/\.dnsimple(?:-edge)?\.(?:com|net|org|io)$/, "DNSimple", "https://support.dnsimple.com/"],
  [/\.vercel-dns\.com$/, "Vercel", "https://vercel.com/docs/domains/managing-dns-records"],
  [/\.wixdns\.net$/, "Wix", "https://support.wix.com/"],
  [/\.squarespacedns\.com$/, "Squarespace", "https://support.squarespace.com/"],
  [/\.name\.com$/, "Name.com", "https://www.name.com/support"],
  [/\.porkbun\.com$/, "Porkbun", "https://kb.porkbun.com/"],
  [/\.hover\.com$/, "Hover", "https://help.hover.com/"],
  [/\.dreamhost\.com$/, "DreamHost", "https://help.dreamhost.com/"]
]

/** The provider that all name servers belong to; null if they belong to several providers or to an unknown one. */
export const dnsProviderOf = (nameservers: ReadonlyArray<string>): DnsProvider | null => {
  const [first, ...others] = nameservers.map((name) =>
    providers.find(([nameserver]) => nameserver.test(name.toLowerCase().replace(/\.$/, "")))
  )
  if (first === undefined || others.some((other) => other !== first)) return null
  const [, provider, guideUrl] = first
  return { provider, guideUrl }
}
