import { lawOf } from "./laws";

lawOf("engine");
