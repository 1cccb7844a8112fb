import { attempted, type MessageCounts, totalOf } from "@switchboard/domain/analytics/MessageCounts"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { DataTable } from "../components/DataTable.js"
import { durationText, numberText, percent } from "../components/Format.js"
import { Card } from "../components/Resource.js"
import type { Analytics } from "./Analytics.js"

/** The distance of a definition to its term and to the edges of the page, in pixels. */
const margin = 8

/**
 * A term with its definition, which is shown over the page while the pointer is on it, while the term has the focus, and
 * after a tap. Escape closes it (WCAG 2.2, 1.4.13).
 */
const Definition = ({ term, text }: { readonly term: string; readonly text: string }) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const definition = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!isOpen || button.current === null || definition.current === null) return
    const { bottom, left } = button.current.getBoundingClientRect()
    const { style, offsetWidth } = definition.current
    style.top = `${bottom + margin / 2}px`
    style.left = `${Math.max(margin, Math.min(left, document.documentElement.clientWidth - offsetWidth - margin))}px`
    // The definition has a fixed place on the page.
    const close = () => setOpen(false)
    addEventListener("scroll", close, true)
    return () => removeEventListener("scroll", close, true)
  }, [isOpen])
  return (
    <span class="definition" onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)}>
      <button
        ref={button}
        type="button"
        aria-describedby={id}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
        // A tap does not move the focus in all browsers.
        onClick={(event) => {
          event.currentTarget.focus()
          setOpen(true)
        }}
      >
        {term}
      </button>
      <span ref={definition} id={id} role="tooltip" hidden={!isOpen}>
        {text}
      </span>
    </span>
  )
}

/** A figure with its definition. */
interface Figure {
  readonly name: string
  readonly definition: string
  readonly of: (counts: MessageCounts) => number
}

/** The number that all shares are of. */
const base: Figure = {
  name: "Attempted",
  definition:
    "Messages whose sending ended in this range: each was sent, was refused at once, or failed. All shares are of this number.",
  of: attempted
}

const figures: ReadonlyArray<Figure> = [
  {
    name: "Sent",
    definition:
      "Messages that a relay, a mail server or a provider accepted. All others were refused at once, or failed.",
    of: ({ sent }) => sent
  },
  {
    name: "Delivered",
    definition:
      "Sent messages whose delivery was confirmed by the recipient's server or by the provider. Opened messages are delivered, too.",
    of: ({ delivered }) => delivered
  },
  {
    name: "Opened",
    definition: "Delivered messages that a recipient opened. A mail counts only if it was sent with open tracking.",
    of: ({ read }) => read
  },
  {
    name: "Clicked",
    definition:
      "Messages with a link that a recipient followed, counted at the first click. A mail counts only if it was sent with click tracking.",
    of: ({ clicked }) => clicked
  },
  {
    name: "Bounced",
    definition: "Messages that the recipient's side refused: at once, or by a report after they were sent.",
    of: ({ bounced }) => bounced
  },
  {
    name: "Complained",
    definition: "Sent messages that a recipient reported as spam.",
    of: ({ complained }) => complained
  },
  {
    name: "Failed",
    definition:
      "Messages that were never sent: all attempts failed, they expired or were cancelled, or all recipients are blocked.",
    of: ({ failed }) => failed
  }
]

const shareOf = (figure: Figure, counts: MessageCounts): string =>
  base.of(counts) === 0 ? "–" : percent(figure.of(counts) / base.of(counts))

/** Whether a channel has no messages in the range. */
export const isEmpty = ({ channel: _, cost: __, ...counts }: Analytics["channels"][number]): boolean =>
  Object.values(counts).every((count) => count === 0)

/** The number of attempted messages, and what became of them. */
const Outcomes = ({ total }: { readonly total: MessageCounts }) => (
  <section class="outcomes" aria-label="Sent messages">
    <dl class="figures">
      {[base, ...figures].map((figure) => (
        <div key={figure.name} class="card">
          <dt>
            <Definition term={figure.name} text={figure.definition} />
          </dt>
          <dd>
            {numberText(figure.of(total))} <small>{shareOf(figure, total)}</small>
          </dd>
        </div>
      ))}
    </dl>
    <p class="hint">
      {numberText(total.sent)} sent + {numberText(total.refused)} refused at once + {numberText(total.failed)} failed ={" "}
      {numberText(attempted(total))} attempted. A status counts at the time when a message reached it, so a message can
      be delivered, opened or bounce in a later range than it was sent in.
    </p>
  </section>
)

/** The figures of each channel in use. The sum of each column is the key figure. */
const Channels = ({ channels, total }: Pick<Analytics, "channels"> & { readonly total: MessageCounts }) => {
  const cells = (counts: MessageCounts) => [
    numberText(base.of(counts)),
    ...figures.map((figure) => (
      <>
        {numberText(figure.of(counts))} <small>{shareOf(figure, counts)}</small>
      </>
    )),
    numberText(counts.received)
  ]
  const used = channels.filter((counts) => !isEmpty(counts))
  return (
    <Card class="padded" title="Channels">
      <DataTable
        caption="Channels"
        columns={["Channel", base.name, ...figures.map(({ name }) => name), "Received", "Cost"]}
        rows={[
          ...used.map((counts) => [counts.channel, ...cells(counts), counts.cost]),
          ...(used.length > 1 ? [["All channels", ...cells(total), ""]] : [])
        ]}
      />
    </Card>
  )
}

/** What was accepted and received. */
const Activity = ({ stats }: Pick<Analytics, "stats">) => {
  const { activeConversations, averageResponseSeconds, inbound, outbound } = stats
  const response = averageResponseSeconds === 0 ? "–" : durationText(averageResponseSeconds)
  return (
    <dl class="figures" aria-label="Activity">
      {(
        [
          [
            "Accepted",
            "Messages that were accepted for delivery in this range. They may be sent later.",
            numberText(outbound)
          ],
          ["Received", "Messages that were received in this range.", numberText(inbound)],
          ["Conversations", "Conversations with a message in this range.", numberText(activeConversations)],
          [
            "Response time",
            "The average time from a received message to the reply that was sent in this range.",
            response
          ]
        ] as const
      ).map(([name, definition, value]) => (
        <div key={name} class="card">
          <dt>
            <Definition term={name} text={definition} />
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The figures of a range: what became of messages, in total and by channel, and what was accepted and received. */
export const Figures = ({ channels, stats }: Pick<Analytics, "channels" | "stats">) => {
  const total = totalOf(channels)
  return (
    <>
      <Outcomes total={total} />
      <Channels channels={channels} total={total} />
      <Activity stats={stats} />
    </>
  )
}
