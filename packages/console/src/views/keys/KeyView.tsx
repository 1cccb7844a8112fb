import { useState } from "preact/hooks"
import { client } from "../../app/Client.js"
import { useEvents } from "../../app/LiveEvents.js"
import { linkTo, paths } from "../../app/Paths.js"
import type { ViewProps } from "../../app/View.js"
import { Pending } from "../../components/Pending.js"
import { useLatest } from "../../components/UseLatest.js"
import { useLoad } from "../../components/UseLoad.js"
import { ViewHeader } from "../../components/ViewHeader.js"
import { KeyActions } from "./KeyActions.js"
import { KeyFacts, KeyUsage } from "./KeyFacts.js"
import { KeyRequests } from "./KeyRequests.js"

const back = { href: linkTo(paths.keys, {}), label: "API keys" }

/** One API key: its permissions, its usage, its requests. */
const KeyView = ({ params: { id } }: ViewProps<typeof paths.key>) => {
  const [round, setRound] = useState(0)
  const { error, reload, replace, value } = useLoad((signal) => client.apiKeys.get({ path: { id } }, { signal }), [id])
  const stats = useLoad((signal) => client.apiKeys.stats({ path: { id } }, { signal }), [id, round])
  const refresh = useLatest(async () => replace(await client.apiKeys.get({ path: { id } })))
  useEvents(["api_key.rotated"], (event) => {
    if (event.type === "api_key.rotated" && event.data.id === id) refresh()
  })
  if (value === undefined) {
    return (
      <>
        <ViewHeader title="API key" back={back} />
        <Pending error={error} reload={reload} />
      </>
    )
  }
  return (
    <>
      <ViewHeader title={value.name} back={back}>
        <KeyActions apiKey={value} changed={replace} />
      </ViewHeader>
      <div class="detail facts-first">
        <KeyRequests id={id} round={round} refresh={() => setRound((count) => count + 1)} />
        <aside>
          <KeyFacts apiKey={value} />
          {stats.value === undefined ? (
            <Pending error={stats.error} reload={stats.reload} />
          ) : (
            <KeyUsage stats={stats.value} />
          )}
        </aside>
      </div>
    </>
  )
}

export default KeyView
