package io.stowline.blob.internal.range;

import java.util.BitSet;
import reactor.core.publisher.Mono;

/** A finder of the ranges of a version that have no bytes but zeros, so that a download does not read them. */
@FunctionalInterface
public interface Holes {

    /** Returns the indexes of such ranges, without the last one; empty if none is known. */
    Mono<BitSet> of(PinnedVersion version, int rangeSize);
}
