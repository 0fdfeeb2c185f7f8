/** The peer of a queue consumer: a loop by hand on the Azure SDK. The comparison and the ledger run it. It calls the SDK alone. */
@NullMarked
package io.stowline.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
