import { useEffect } from "preact/hooks"
import { EmptyState } from "../components/EmptyState.js"
import { Pending } from "../components/Pending.js"
import { useLoad } from "../components/UseLoad.js"
import { navigate, place } from "./Location.js"
import { linkTo, paths } from "./Paths.js"
import { can } from "./SessionState.js"
import { matchView, type View } from "./View.js"
import { views } from "./Views.js"

/** The view, whose code is loaded when it is first shown. */
const Loaded = ({ params, view }: { readonly params: Readonly<Record<string, string>>; readonly view: View }) => {
  const { error, reload, value } = useLoad(() => view.load(), [view])
  if (value === undefined) return <Pending error={error} reload={reload} />
  const Component = value.default
  return <Component params={params} />
}

const ToStart = () => {
  useEffect(() => navigate(linkTo(paths.messages, {})), [])
  return null
}

const unknownView = (
  <EmptyState title="There is no such page" text="The address may be mistyped, or the page has moved." />
)

const forbiddenView = (
  <EmptyState title="Not permitted" text="The API key of this session has no permission for this page." />
)

/** The view of the current URL. */
export const CurrentView = () => {
  const { path } = place.value
  if (path === "/") return <ToStart />
  for (const view of views) {
    const params = matchView(view, path)
    if (params === undefined) continue
    if (view.permission !== undefined && !can(view.permission)) return forbiddenView
    return <Loaded key={path} view={view} params={params} />
  }
  return unknownView
}
