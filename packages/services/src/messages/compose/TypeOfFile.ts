/// <reference path="./Mime.d.ts" />
import type { Attachment } from "@switchboard/domain/messages/Attachment"
import mime from "mime"

/** What an attached file is: as whoever attached it says, or else by the ending of its name. */
export const typeOfFile = ({ contentType, filename }: Pick<Attachment, "contentType" | "filename">): string =>
  // The library takes a name without a dot for an ending.
  contentType ?? (filename.includes(".") ? mime.getType(filename) : null) ?? "application/octet-stream"
