package io.stowline.ring.internal.blob;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The blobs of several accounts in the order of their names, those of one name together. Not thread-safe. */
final class NamedBlobs implements Iterator<List<AccountBlob>> {

    private final Iterator<AccountBlob> blobs;
    private @Nullable AccountBlob next;

    private NamedBlobs(Iterator<AccountBlob> blobs) {
        this.blobs = blobs;
    }

    static Stream<List<AccountBlob>> of(Stream<AccountBlob> blobs) {
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                new NamedBlobs(blobs.iterator()), Spliterator.ORDERED | Spliterator.NONNULL),
                        false)
                .onClose(blobs::close);
    }

    @Override
    public boolean hasNext() {
        return next != null || blobs.hasNext();
    }

    @Override
    public List<AccountBlob> next() {
        AccountBlob first = next != null ? next : blobs.next();
        next = null;
        List<AccountBlob> same = new ArrayList<>(List.of(first));
        while (next == null && blobs.hasNext()) {
            AccountBlob other = blobs.next();
            if (other.name().equals(first.name())) {
                same.add(other);
            } else {
                next = other;
            }
        }
        return same;
    }
}
