import { caopKernelContract } from '../../../test/contract/caopKernelContract.ts';
import { caopLeasesContract } from '../../../test/contract/caopLeasesContract.ts';
import { caopRulesContract } from '../../../test/contract/caopRulesContract.ts';

caopKernelContract('SQLite');
caopLeasesContract('SQLite');
caopRulesContract('SQLite');
