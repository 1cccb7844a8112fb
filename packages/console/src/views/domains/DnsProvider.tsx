import type { DetectedRegistrar } from "../../app/Types.js"
import { Facts } from "../../components/Facts.js"

const Hint = ({ guideUrl, provider, zone }: DetectedRegistrar) => {
  if (zone === undefined) return <>No name servers were found. Check that the domain is registered.</>
  if (provider === undefined) return <>Publish the records where the zone {zone} is managed.</>
  return (
    <>
      Publish the records at {provider}, in the zone {zone}.{" "}
      {guideUrl !== undefined && (
        <a href={guideUrl} target="_blank" rel="noreferrer">
          How to add records
        </a>
      )}
    </>
  )
}

/** Where the records of a domain are published. */
export const DnsProvider = ({ detected }: { readonly detected: DetectedRegistrar }) => (
  <section class="card" aria-labelledby="dns-provider">
    <h2 id="dns-provider">DNS provider</h2>
    <Facts
      facts={[
        ["Provider", detected.provider ?? (detected.zone === undefined ? undefined : "not recognized")],
        ["Zone", detected.zone],
        ["Name servers", detected.nameservers.join(", ")]
      ]}
    />
    <p class="hint">
      <Hint {...detected} />
    </p>
  </section>
)
