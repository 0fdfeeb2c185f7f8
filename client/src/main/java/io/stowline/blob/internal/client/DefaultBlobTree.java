package io.stowline.blob.internal.client;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.operations.BlobListing;
import io.stowline.error.internal.PrintableText;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** {@link BlobTree} that lists by its {@link BlobContext}. */
final class DefaultBlobTree implements BlobTree {

    private final BlobContext context;
    private final String path;
    private final String delimiter;

    DefaultBlobTree(BlobContext context, String path, String delimiter) {
        this.context = context;
        this.path = Objects.requireNonNull(path, "prefix");
        this.delimiter = Objects.requireNonNull(delimiter, "delimiter");
        if (delimiter.isEmpty()) {
            throw new IllegalArgumentException("the delimiter is empty");
        }
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String name() {
        String inner = path.endsWith(delimiter) ? path.substring(0, path.length() - delimiter.length()) : path;
        int before = inner.lastIndexOf(delimiter);
        return before < 0 ? inner : inner.substring(before + delimiter.length());
    }

    @Override
    public BlobTree folder(String segment) {
        if (Objects.requireNonNull(segment, "segment").isEmpty()) {
            throw new IllegalArgumentException("the name of the folder is empty");
        }
        return new DefaultBlobTree(
                context, path + (segment.endsWith(delimiter) ? segment : segment + delimiter), delimiter);
    }

    @Override
    public Stream<Entry> entries() {
        return FluxCursor.stream(level());
    }

    @Override
    public Stream<BlobTree> folders() {
        return FluxCursor.stream(
                level().filter(Entry::isPrefix).map(entry -> new DefaultBlobTree(context, entry.name(), delimiter)));
    }

    @Override
    public Stream<BlobInfo> blobs() {
        return FluxCursor.stream(level().mapNotNull(Entry::info));
    }

    @Override
    public Stream<Entry> walk(Predicate<Entry> into) {
        return FluxCursor.stream(walked(Objects.requireNonNull(into, "into")));
    }

    Flux<Entry> walked(Predicate<Entry> into) {
        return level().concatMap(
                        entry -> entry.isPrefix() && context.awaited(() -> into.test(entry))
                                ? Flux.just(entry)
                                        .concatWith(Flux.defer(() ->
                                                new DefaultBlobTree(context, entry.name(), delimiter).walked(into)))
                                : Flux.just(entry),
                        1);
    }

    private Flux<Entry> level() {
        return new BlobListing(context).level(path, delimiter);
    }

    @Override
    public String toString() {
        return PrintableText.of("BlobTree[" + context.resource(path) + "]");
    }
}
