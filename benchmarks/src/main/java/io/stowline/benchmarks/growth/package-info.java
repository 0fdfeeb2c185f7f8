/**
 * Stowline alone at growing sizes: more partitions, requests in flight, bytes of an entity, blobs of a listing, consumed queues. A command line
 * calls it. It measures by the tools of {@code side} against its stub server.
 */
@NullMarked
package io.stowline.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
