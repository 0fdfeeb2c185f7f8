/**
 * The faces of a ring's table: its verbs, queries, transactions and writers. The ring makes them. They call the routes of partitions, and
 * the public types of the client.
 */
@NullMarked
package io.stowline.ring.internal.table;

import org.jspecify.annotations.NullMarked;
