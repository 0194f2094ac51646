import { caopApprovalsContract } from '../../../test/contract/caopApprovalsContract.ts';
import { caopBindingContract } from '../../../test/contract/caopBindingContract.ts';
import { caopFactsContract } from '../../../test/contract/caopFactsContract.ts';
import { caopKernelContract } from '../../../test/contract/caopKernelContract.ts';
import { caopLeasesContract } from '../../../test/contract/caopLeasesContract.ts';
import { caopRulesContract } from '../../../test/contract/caopRulesContract.ts';

caopKernelContract('SQLite');
caopLeasesContract('SQLite');
caopRulesContract('SQLite');
caopApprovalsContract('SQLite');
caopFactsContract('SQLite');
caopBindingContract('SQLite');
