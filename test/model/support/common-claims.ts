/** The claims of a command's provider processes, as the file of each tells the others. */
import { ClaimMap, type OtherClaims } from "../../../provider/deployment/claims";

export class CommonClaims extends ClaimMap implements OtherClaims {
  all = () => this.values();
}
