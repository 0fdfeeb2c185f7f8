/**
 * The ledger: what callers were told of their writes under faults, held against what the service did. Each seed is one workload with its
 * faults; the same runs through Stowline and through the SDK's own clients.
 */
@NullMarked
package io.stowline.benchmarks.ledger;

import org.jspecify.annotations.NullMarked;
