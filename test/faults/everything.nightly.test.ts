import { lawOf } from "./laws";

lawOf("everything");
