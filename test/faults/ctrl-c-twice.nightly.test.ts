import { lawsOf } from "./laws";

lawsOf("ctrl-c-twice");
