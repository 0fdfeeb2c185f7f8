/** Copies by the service under faults, and what is there afterwards. They run on the account in memory, since the emulator has no such copies. */
@NullMarked
package io.stowline.system.ledger.copy;

import org.jspecify.annotations.NullMarked;
