package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobInfo;
import io.stowline.ring.internal.place.RingMember;
import java.util.stream.Stream;

/**
 * A blob in the list of one account.
 *
 * @param member the account
 * @param info the facts as they are stored
 */
record AccountBlob(RingMember member, BlobInfo info) {

    String name() {
        return info.name();
    }

    /** Returns the facts if this account is the home of the blob, and applications may read it there. */
    Stream<BlobInfo> readableAt(RingMember home) {
        return member.equals(home)
                ? Stream.of(BlobPlace.of(info)).filter(BlobPlace::isReadable).map(BlobPlace::info)
                : Stream.empty();
    }
}
