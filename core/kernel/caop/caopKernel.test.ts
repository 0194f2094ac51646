import { caopKernelContract } from '../../../test/contract/caopKernelContract.ts';
import { caopLeasesContract } from '../../../test/contract/caopLeasesContract.ts';

caopKernelContract('SQLite');
caopLeasesContract('SQLite');
