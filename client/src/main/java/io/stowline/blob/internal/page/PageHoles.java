package io.stowline.blob.internal.page;

import io.stowline.blob.internal.range.Holes;
import io.stowline.blob.internal.range.PinnedVersion;
import java.util.BitSet;
import reactor.core.publisher.Mono;

/**
 * The ranges of a download that are not in use in the blob. Their listing is of the version that is downloaded.
 *
 * @param pages the blob
 */
public record PageHoles(PageOperations pages) implements Holes {

    @Override
    public Mono<BitSet> of(PinnedVersion version, int rangeSize) {
        int last = (int) ((version.info().size() - 1) / rangeSize);
        BitSet holes = new BitSet();
        holes.set(0, last);
        return pages.ranges("downloadTo", null, version.info().etag())
                .doOnNext(used ->
                        holes.clear((int) (used.offset() / rangeSize), (int) ((used.end() - 1) / rangeSize) + 1))
                .then(Mono.just(holes));
    }
}
