import { lawsOf } from "./laws";

lawsOf("provider");
