/**
 * Several storage accounts as one. {@link io.stowline.ring.StowlineRing} is the entry.
 *
 * <pre>{@code
 * try (StowlineRing ring = StowlineRing.of(r -> r.account("eu1", connectionString).account("eu2", otherConnectionString))) {
 *     System.out.println(ring.accountOf("customer-17"));
 * }
 * }</pre>
 *
 * <p>Each placement, such as the partition key of an entity or the name of a blob, has one account, by weighted rendezvous hashing. All
 * processes with the same accounts agree on it. An account that is added takes its share from all others; nothing else moves.
 *
 * <p>No transaction, order or unique index spans accounts. A query over all accounts is merged in the order of the keys, and is no
 * snapshot.
 */
@NullMarked
package io.stowline.ring;

import org.jspecify.annotations.NullMarked;
