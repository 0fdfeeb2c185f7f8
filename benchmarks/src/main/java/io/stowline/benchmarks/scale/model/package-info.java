/**
 * A model of storage accounts and their clients in virtual time. The report of this simulator calls it. It calls the retry engine, the
 * quota and the gates of the library, which run unchanged.
 */
@NullMarked
package io.stowline.benchmarks.scale.model;

import org.jspecify.annotations.NullMarked;
