import { client } from "../../app/Client.js"
import { linkTo, paths } from "../../app/Paths.js"
import { feedStep } from "../../components/Feed.js"
import { ListView } from "../../components/ListView.js"
import { Status } from "../../components/Status.js"
import { Time } from "../../components/Time.js"

const back = { href: linkTo(paths.blocks, {}), label: "Blocks" }

/** What blocks held back, and the changes of blocks, newest first. */
const BlockLogView = () => (
  <ListView
    title="Block log"
    noun="entry"
    back={back}
    filters={{}}
    open={(signal) => client.blocks.logs.all({ urlParams: { limit: feedStep } }, { signal })}
    events={["email_block.", "message.failed", "message.sent"]}
    columns="block-log"
    headings={["Action", "Address or domain", "Message", "Time"]}
    row={({ action, category, createdAt, email, messageId }) => (
      <>
        <Status value={action} />
        <span class="name">
          <strong>{email}</strong>
          {category !== undefined && <span class="tag">{category}</span>}
        </span>
        {messageId === undefined ? <span /> : <a href={linkTo(paths.message, { id: messageId })}>Details</a>}
        <Time value={createdAt} />
      </>
    )}
    empty={{
      title: "Nothing logged yet",
      text: "Changes of blocks are listed here, and messages that a block holds back. Add a block to begin."
    }}
  />
)

export default BlockLogView
