import { lawOf } from "./laws";

lawOf("ctrl-c-twice");
