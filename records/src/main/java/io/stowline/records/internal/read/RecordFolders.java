package io.stowline.records.internal.read;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.records.RecordReadException;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.name.TimeFolders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folders of one prefix: lists the blobs of a span of time, whatever the number of their buckets. Thread-safe. */
final class RecordFolders implements AutoCloseable {

    private static final Pattern BUCKET = Pattern.compile("[0-9a-f]{2}/");

    private final BlobContainer container;
    private final BlobNames names;
    private final int parallelism;
    private final boolean skipOtherFormats;
    private volatile boolean closed;

    RecordFolders(BlobContainer container, BlobNames names, int parallelism, boolean skipOtherFormats) {
        this.container = container;
        this.names = names;
        this.parallelism = parallelism;
        this.skipOtherFormats = skipOtherFormats;
    }

    /**
     * Lists the blobs of records whose intervals begin in a span, in no order that counts.
     *
     * @throws RecordReadException if one has another format
     */
    void list(Instant from, Instant to, Consumer<? super RecordBlob> consumer) {
        List<String> spans = TimeFolders.covering(from, to);
        List<String> folders = new ArrayList<>();
        for (String bucket : buckets()) {
            spans.forEach(span -> folders.add(bucket + span));
        }
        if (folders.isEmpty()) {
            return;
        }
        try (Stream<BlobInfo> blobs = container.stream(folders, parallelism)) {
            blobs.forEach(blob -> recognised(blob)
                    .filter(listed -> !listed.chunk().interval().isBefore(from)
                            && listed.chunk().interval().isBefore(to))
                    .ifPresent(consumer));
        }
    }

    private List<String> buckets() {
        try (Stream<BlobTree.Entry> entries = container.entries(names.prefix(), "/")) {
            return entries.filter(BlobTree.Entry::isPrefix)
                    .map(BlobTree.Entry::name)
                    .filter(name -> BUCKET.matcher(name.substring(names.prefix().length()))
                            .matches())
                    .toList();
        }
    }

    private Optional<RecordBlob> recognised(BlobInfo blob) {
        if (closed) {
            throw new IllegalStateException("the listing was closed");
        }
        Optional<BlobNames.Named> named =
                blob.type() == BlobType.PAGE_BLOB ? Optional.empty() : names.parsed(blob.name());
        boolean other = named.isPresent() && !named.get().suffix().equals(names.suffix());
        if (other && !skipOtherFormats) {
            throw new RecordReadException(
                    blob.name(),
                    "blobs of the format end with " + names.suffix()
                            + "; read the other ones by their own format, with skipOtherFormats() for both",
                    null);
        }
        return other
                ? Optional.empty()
                : named.map(name ->
                        new RecordBlob(blob.name(), name.chunk(), blob.size(), blob.type() != BlobType.BLOCK_BLOB));
    }

    /** Ends the listings that run, which fail. */
    @Override
    public void close() {
        closed = true;
    }
}
