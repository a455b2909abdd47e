import { lawsOf } from "./laws";

lawsOf("engine");
