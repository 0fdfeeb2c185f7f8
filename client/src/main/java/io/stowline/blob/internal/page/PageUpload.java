package io.stowline.blob.internal.page;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.PageBlobSettings;
import io.stowline.blob.PageBlobSettings.FileUpload;
import io.stowline.blob.PageRange;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.error.ConflictException;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.request.HeaderValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One upload of a file to a page blob, without the file's zeros. Until its end the blob's metadata name the file's length and time: an
 * upload that finds them there goes on, and what is in use then is what an upload of this file has sent. Serves one subscription.
 */
public final class PageUpload {

    /** The mark of an upload that has not ended; readers see it. */
    static final String UNFINISHED = "stowlineunfinished";

    private static final String VERB = "upload";

    /** The part of the blob whose ranges in use are listed at a time, so that memory is bounded. */
    private static final long WINDOW = 1L << 30;

    private static final int PIECE = PageRules.MAX_WRITE;

    private final BlobContext context;
    private final PageOperations pages;
    private final Path file;
    private final PageBlobSettings settings;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong resumed = new AtomicLong();

    public PageUpload(BlobContext context, PageOperations pages, Path file, PageBlobSettings settings) {
        this.context = context;
        this.pages = pages;
        this.file = file;
        this.settings = settings;
    }

    private String name() {
        return pages.name();
    }

    private String resource() {
        return context.resource(name());
    }

    /** Uploads the file; an {@link java.io.UncheckedIOException} if it cannot be read or changes. */
    public Mono<FileUpload> run() {
        return pages.asOperation(
                VERB,
                Mono.usingWhen(
                                BlockingTask.call(() -> new FileSource(file, FileChannel::open, this::failed)),
                                this::uploaded,
                                opened -> BlockingTask.call(() -> {
                                            opened.close();
                                            return opened;
                                        })
                                        .then())
                        .onErrorMap(IOException.class, this::failed));
    }

    private RuntimeException failed(IOException e) {
        return StreamFailure.of(VERB + " " + resource() + ": " + e, e);
    }

    private Mono<FileUpload> uploaded(FileSource opened) {
        PageRules.size("the length of " + file, opened.length());
        String mark = opened.length() + " " + opened.modified();
        Map<String, String> marked = new HashMap<>(settings.metadata());
        marked.put(UNFINISHED, mark);
        PageCreation creation = new PageCreation(context, VERB, name(), opened.length(), settings, marked);
        return BlobConditions.unlessMissing(head())
                .map(present -> begun(creation, present, opened.length(), mark))
                .defaultIfEmpty(creation.absent().thenReturn(false))
                .flatMap(begin -> begin)
                .flatMap(resumes -> sent(opened, resumes).then(ended(opened, mark)));
    }

    /**
     * The blob as it is there.
     *
     * @param mark the mark of an unfinished upload, or {@code null}
     */
    private record PresentBlob(
            String etag,
            @Nullable BlobType type,
            long size,
            @Nullable String mark,
            FailureFacts.Ids ids) {

        static PresentBlob of(Response<BlobProperties> response) {
            BlobProperties seen = response.getValue();
            return new PresentBlob(
                    HeaderValues.quoted(Objects.requireNonNull(seen.getETag(), "no ETag")),
                    seen.getBlobType(),
                    BlobInfoMapper.size(response),
                    StoredTexts.metadata(seen.getMetadata()).get(UNFINISHED),
                    FailureFacts.Ids.of(response));
        }
    }

    private Mono<PresentBlob> head() {
        return new BlobOperations(context).head(VERB, name(), null, PresentBlob::of);
    }

    /** Returns whether an earlier upload is resumed, once the blob is there. */
    private Mono<Boolean> begun(PageCreation creation, PresentBlob present, long length, String mark) {
        if (present.type == BlobType.PAGE_BLOB
                && (present.size == length || present.size < 0)
                && mark.equals(present.mark)) {
            return Mono.just(true);
        }
        return settings.overwrite()
                ? creation.replacing(present.etag).thenReturn(false)
                : Mono.error(refusal(
                        present,
                        present.mark == null
                                ? "there is a blob of this name"
                                : "an upload of another file, or of another state of this one, has not ended"));
    }

    private ConflictException refusal(PresentBlob present, String why) {
        return new ConflictException(
                FailureFacts.of(VERB, resource())
                        .ids(present.ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(200, null)
                        .because(why, "set overwrite() to replace it, or choose another name"),
                null);
    }

    private Mono<Void> sent(FileSource opened, boolean resumes) {
        int windows = (int) ((opened.length() + WINDOW - 1) / WINDOW);
        return Mono.using(
                () -> context.service().memory().share(),
                share -> RangeSource.all(
                        Flux.range(0, windows).concatMap(window -> window(opened, window * WINDOW, resumes, share), 0),
                        settings.parallelism()),
                TransferMemory.Share::close);
    }

    private Flux<Mono<Long>> window(FileSource opened, long from, boolean resumes, TransferMemory.Share share) {
        long length = Math.min(WINDOW, opened.length() - from);
        Mono<NavigableMap<Long, Long>> used = resumes
                ? pages.ranges(VERB, new PageRange(from, length), null)
                        .collect(TreeMap::new, (known, range) -> known.merge(range.offset(), range.end(), Math::max))
                : Mono.just(new TreeMap<>());
        int pieces = (int) ((length + PIECE - 1) / PIECE);
        return used.flatMapMany(known -> Flux.range(0, pieces)
                .concatMap(index -> share.take(PIECE).thenReturn(index), 0)
                .map(index -> piece(opened, from + (long) index * PIECE, known).doFinally(end -> share.free(PIECE))));
    }

    private Mono<Long> piece(FileSource opened, long from, NavigableMap<Long, Long> used) {
        return BlockingTask.call(() -> {
                    byte[] bytes = new byte[(int) Math.min(PIECE, opened.length() - from)];
                    opened.read(ByteBuffer.wrap(bytes), from);
                    return bytes;
                })
                .flatMapMany(bytes -> Flux.fromIterable(PageRuns.of(bytes))
                        .filter(run -> isMissing(used, from + run.offset(), run.length()))
                        .concatMap(
                                run -> pages.write(VERB, from + run.offset(), bytes, (int) run.offset(), (int)
                                                run.length())
                                        .doOnNext(done -> sent.addAndGet(run.length())),
                                0))
                .then(Mono.just(from));
    }

    /** Ranges of a listing may touch each other. */
    private boolean isMissing(NavigableMap<Long, Long> used, long offset, long length) {
        long end = offset;
        for (Map.Entry<Long, Long> range = used.floorEntry(end);
                range != null && range.getValue() > end && end < offset + length;
                range = used.floorEntry(end)) {
            end = range.getValue();
        }
        boolean missing = end < offset + length;
        resumed.addAndGet(missing ? 0 : length);
        return missing;
    }

    /** Removes the mark of this upload, and of no other. */
    private Mono<FileUpload> ended(FileSource opened, String mark) {
        return BlockingTask.call(() -> {
                    opened.check();
                    return opened;
                })
                .then(Mono.defer(this::head))
                .flatMap(present -> mark.equals(present.mark)
                        ? new BlobOperations(context).setMetadata(name(), settings.metadata(), present.etag)
                        : Mono.error(refusal(present, "another upload or writer has replaced the blob in between")))
                .then(Mono.defer(() -> pages.info(VERB)))
                .map(blob -> new FileUpload(blob, sent.get(), resumed.get()));
    }
}
