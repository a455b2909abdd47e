import { lawsOf } from "./laws";

lawsOf("everything");
