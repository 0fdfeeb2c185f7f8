/**
 * The correctness benchmark: workers compete through a faulty network, and a witness at the store judges each reported result. Its main
 * class runs it. It calls the client and the test kit.
 */
@NullMarked
package io.stowline.system.ledger;

import org.jspecify.annotations.NullMarked;
