package io.stowline.blob.internal.page;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.PageBlobItem;
import com.azure.storage.blob.models.SequenceNumberActionType;
import com.azure.storage.blob.specialized.PageBlobAsyncClient;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.PageBlobInfo;
import io.stowline.blob.PageRange;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.request.BlobRequests.BlobVersion;
import io.stowline.blob.internal.request.PageRequests;
import io.stowline.blob.internal.request.PageRequests.RangePage;
import io.stowline.blob.internal.request.PageRequests.SequenceCondition;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.error.ExceptionCopier;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The operations on one page blob. Results arrive on an I/O or timer thread. Immutable. */
public final class PageOperations {

    private static final String WRITE = "write";
    private static final String CLEAR = "clear";
    private static final String RESIZE = "resize";
    private static final String SET_NUMBER = "setSequenceNumber";
    private static final String RANGES = "ranges";

    /** The pieces of a long write that are in flight at a time. */
    private static final int AT_ONCE = 4;

    /** Up to so many bytes are hashed on the thread that begins the write. */
    private static final int HASHED_AT_ONCE = 256 << 10;

    private final BlobContext context;
    private final String name;
    private final @Nullable SequenceCondition condition;

    /**
     * The operations on one page blob.
     *
     * @param context the container
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public PageOperations(BlobContext context, String name) {
        this(context, BlobNameRules.check(name), null);
    }

    private PageOperations(BlobContext context, String name, @Nullable SequenceCondition condition) {
        this.context = context;
        this.name = name;
        this.condition = condition;
    }

    /** Returns the operations whose writes have a condition, by the end of its header's name. */
    public PageOperations ifSequenceNumber(String comparison, long number) {
        return new PageOperations(context, name, SequenceCondition.of(comparison, PageRules.sequenceNumber(number)));
    }

    /** Returns the blob's name. */
    public String name() {
        return name;
    }

    private PageBlobAsyncClient sdk() {
        return context.blob(name).getPageBlobAsyncClient();
    }

    private String resource() {
        return context.resource(name);
    }

    /** Reads the blob's properties. */
    public Mono<PageBlobInfo> info() {
        return info("info");
    }

    Mono<PageBlobInfo> info(String verb) {
        return new BlobOperations(context)
                .head(
                        verb,
                        name,
                        null,
                        response -> new PageBlobInfo(
                                BlobInfoMapper.of(name, response), sequenceNumber(response.getValue())));
    }

    /** Returns the size; some gateways drop it from responses without content. */
    Mono<Long> size(String verb) {
        return info(verb)
                .flatMap(info -> info.size() >= 0
                        ? Mono.just(info.size())
                        : new RangeSource(context.atPrimary(), name, verb).length());
    }

    private static long sequenceNumber(BlobProperties seen) {
        Long number = seen.getBlobSequenceNumber();
        return number == null ? 0 : number;
    }

    /**
     * Writes bytes; those of more than one request in pieces, several at a time.
     *
     * @param bytes the bytes, which must not change until the end
     */
    public Mono<WriteResult> write(long offset, byte[] bytes) {
        return Mono.defer(() -> {
            int length = Objects.requireNonNull(bytes, "bytes").length;
            PageRules.range(offset, length);
            if (length <= PageRules.MAX_WRITE) {
                return write(WRITE, offset, bytes, 0, length);
            }
            int pieces = (length - 1) / PageRules.MAX_WRITE + 1;
            Flux<WriteResult> all = Flux.range(0, pieces)
                    .map(i -> i * PageRules.MAX_WRITE)
                    .map(from -> write(WRITE, offset + from, bytes, from, Math.min(PageRules.MAX_WRITE, length - from))
                            .onErrorMap(StorageException.class, e -> ofPiece(e, offset + from, pieces)))
                    // As values: an error that comes after the first one would be logged as dropped.
                    .flatMap(Mono::materialize, AT_ONCE, 1)
                    .dematerialize();
            return asOperation(WRITE, all.reduce(PageOperations::asOneResult));
        });
    }

    private static StorageException ofPiece(StorageException e, long offset, int pieces) {
        return ExceptionCopier.with(
                e,
                e.failure()
                        .saying("; this is the piece from offset " + offset + ", one of " + pieces
                                + ": others may have been written"));
    }

    <A> Mono<A> asOperation(String verb, Mono<A> work) {
        return context.asOperation(Operation.of(verb, resource(), OperationType.WRITE, context.retry()), work);
    }

    /** Which of two writes was the last one does not show. */
    private static WriteResult asOneResult(WriteResult one, WriteResult other) {
        boolean repeated = one.mayHaveRepeated() || other.mayHaveRepeated();
        return one.outcome() == WriteOutcome.CONFIRMED && other.outcome() == WriteOutcome.CONFIRMED
                ? WriteResult.confirmed("", repeated)
                : WriteResult.recovered("", Evidence.CONTENT, repeated);
    }

    /** Writes a part of an array by one request. */
    Mono<WriteResult> write(String verb, long offset, byte[] bytes, int from, int length) {
        PageRange range = PageRules.range(offset, length);
        Mono<byte[]> md5 = length <= HASHED_AT_ONCE
                ? Mono.fromCallable(() -> md5(bytes, from, length))
                : BlockingTask.call(() -> md5(bytes, from, length));
        return md5.flatMap(hash -> changed(
                verb,
                () -> new PageRequests(context, verb, name)
                        .write(
                                range,
                                RequestBody.of(bytes, from, length),
                                Base64.getEncoder().encodeToString(hash),
                                condition),
                "the range from " + offset + " of " + length + " bytes",
                unresolved -> holds(verb, offset, bytes, from, length, unresolved)));
    }

    private static byte[] md5(byte[] bytes, int from, int length) {
        return Md5.of(ByteBuffer.wrap(bytes, from, length));
    }

    private Mono<WriteResult> changed(
            String verb,
            Supplier<Exchange<BlobVersion>> request,
            String thing,
            Function<UnresolvedAttempts, Mono<Boolean>> asWanted) {
        return context.calls()
                .direct()
                .settled(
                        verb,
                        this::resource,
                        request,
                        (made, exchange) -> WriteResult.confirmed(
                                made.etag(),
                                context.service()
                                        .pipeline()
                                        .unresolved(exchange)
                                        .mayRepeat(Evidence.RESPONSE)),
                        new PageOutcome(context, verb, name, thing, asWanted)::settle);
    }

    private Mono<Boolean> holds(
            String verb, long offset, byte[] bytes, int from, int length, UnresolvedAttempts unresolved) {
        return Mono.using(
                () -> context.service().memory().share(),
                share -> new RangeSource(context.atPrimary(), name, verb)
                        .within(unresolved.deadline())
                        .first(offset, length, share, null)
                        .map(piece ->
                                Arrays.equals(piece.bytes(), 0, piece.bytes().length, bytes, from, from + length)),
                TransferMemory.Share::close);
    }

    /** Clears pages. */
    public Mono<WriteResult> clear(long offset, long length) {
        return Mono.defer(() -> {
            PageRange range = PageRules.range(offset, length);
            return changed(
                    CLEAR,
                    () -> new PageRequests(context, CLEAR, name).clear(range, condition),
                    "the range from " + offset + " of " + length + " bytes",
                    unresolved -> isUnused(range, unresolved));
        });
    }

    private Mono<Boolean> isUnused(PageRange range, UnresolvedAttempts unresolved) {
        return context.calls()
                .direct()
                .observed(
                        CLEAR,
                        this::resource,
                        () -> new PageRequests(context.atPrimary(), CLEAR, name)
                                .ranges(range, null, null, context.retry().forReadBack())
                                .with(options -> options.within(unresolved.deadline())),
                        (page, exchange) -> page.ranges().isEmpty() && page.next() == null);
    }

    /** Reads bytes of one version into memory as they are stored; of none only that the blob is there. */
    public Mono<byte[]> read(long offset, int length) {
        if (offset >= 0 && length == 0) {
            return size("read").map(size -> new byte[0]);
        }
        return Mono.defer(() -> new Download(context)
                .whole(
                        name,
                        DownloadSettings.builder()
                                .range(offset, length)
                                .limit(length)
                                .asStored()
                                .build()));
    }

    /** Changes the size. */
    public Mono<WriteResult> resize(long size) {
        return Mono.defer(() -> {
            PageRules.size("the size", size);
            return changed(
                    RESIZE,
                    "the size of the blob",
                    () -> sdk().resizeWithResponse(size, null),
                    response -> BlobInfoMapper.size(response) == size);
        });
    }

    /** Sets the sequence number. */
    public Mono<WriteResult> setSequenceNumber(long number) {
        return setSequenceNumber(SequenceNumberActionType.UPDATE, number, present -> present == number);
    }

    /** Sets the sequence number unless it is larger. */
    public Mono<WriteResult> raiseSequenceNumber(long number) {
        return setSequenceNumber(SequenceNumberActionType.MAX, number, present -> present >= number);
    }

    private Mono<WriteResult> setSequenceNumber(SequenceNumberActionType action, long number, LongPredicate asWanted) {
        return Mono.defer(() -> {
            PageRules.sequenceNumber(number);
            return changed(
                    SET_NUMBER,
                    "the sequence number",
                    () -> sdk().updateSequenceNumberWithResponse(action, number, null),
                    response -> {
                        Long present = response.getValue().getBlobSequenceNumber();
                        return present != null && asWanted.test(present);
                    });
        });
    }

    private Mono<WriteResult> changed(
            String verb,
            String thing,
            Supplier<Mono<Response<PageBlobItem>>> call,
            Function<Response<BlobProperties>, Boolean> asWanted) {
        return context.settled(
                context.write(verb, resource(), BlobContext.CHANGED),
                call,
                (response, unresolved) -> WriteResult.confirmed(
                        HeaderValues.quoted(response.getValue().getETag()), unresolved.mayRepeat(Evidence.RESPONSE)),
                new PageOutcome(
                        context,
                        verb,
                        name,
                        thing,
                        unresolved -> context.call(
                                context.readBack(verb, resource(), unresolved.deadline()),
                                () -> context.blob(name).getPropertiesWithResponse(null),
                                asWanted))::settle);
    }

    /** Returns the ranges in use. */
    public Flux<PageRange> ranges() {
        return ranges(RANGES, null, null);
    }

    /**
     * Returns the ranges in use in a part of the blob.
     *
     * @param within the part, or {@code null} for all of it
     * @param ifMatch the only version, or {@code null} for any
     */
    Flux<PageRange> ranges(String verb, @Nullable PageRange within, @Nullable String ifMatch) {
        return page(verb, within, null, ifMatch)
                .expand(page -> page.next() == null ? Mono.empty() : page(verb, within, page.next(), ifMatch))
                .concatMapIterable(RangePage::ranges, 1);
    }

    private Mono<RangePage> page(
            String verb, @Nullable PageRange within, @Nullable String marker, @Nullable String ifMatch) {
        return context.calls()
                .direct()
                .observed(
                        verb,
                        this::resource,
                        () -> new PageRequests(context.atPrimary(), verb, name)
                                .ranges(within, marker, ifMatch, context.retry()),
                        (page, exchange) -> page);
    }
}
