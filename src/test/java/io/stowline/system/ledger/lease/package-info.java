/**
 * The correctness benchmark of leases, terms and exclusive creates: workers under faults, what they report, and the verdict. Its tests run
 * it. It calls the client, the script of the ledger and the test kit.
 */
@NullMarked
package io.stowline.system.ledger.lease;

import org.jspecify.annotations.NullMarked;
