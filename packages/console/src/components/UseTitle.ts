import { useEffect } from "preact/hooks"

/** Sets the title of the page. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Switchboard`
  }, [title])
}
