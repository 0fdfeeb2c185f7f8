/** The judge of a seed: the facts at the store, and checks that compare each reported result with them. The ledger calls it. */
@NullMarked
package io.stowline.system.ledger.verdict;

import org.jspecify.annotations.NullMarked;
