package io.stowline.blob.internal.range;

import com.azure.core.http.HttpHeaderName;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.RangeSource.RangeRequest;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.request.BlobReads.ContentRange;
import io.stowline.blob.internal.request.BlobReads.NextRange;
import io.stowline.blob.internal.request.BlobReads.RangeReceiver;
import io.stowline.blob.internal.transfer.RetryListener;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A range whose bytes arrive in one or several responses of one version. One response at a time. */
final class ArrivingRange implements RangeReceiver {

    private final BlobContext context;
    private final BlobReads reads;
    private final RangeRequest requested;
    private final TransferMemory.@Nullable Share share;
    private final RangeTarget.Choice choice;
    private final @Nullable RetryListener retries;

    private volatile @Nullable Exchange<StorageResponse> running;
    private @Nullable ReadOrigin found;
    private @Nullable PinnedVersion pinned;
    private @Nullable RangeTarget target;
    private int size;
    private int filled;
    /** The bytes that had come when the retries were last counted from the beginning. */
    private int counted;
    /** Bytes before the missing ones, and the part of them in the response. */
    private long skipped;

    private long useful;
    private long taken;
    private int max;
    private @Nullable String lastId;
    private boolean ignored;

    /**
     * A range of which no byte has arrived.
     *
     * @param share counts its bytes, or {@code null} if its reader does
     * @param choice makes its target once its first response begins
     */
    ArrivingRange(
            BlobContext context,
            RangeRequest requested,
            TransferMemory.@Nullable Share share,
            RangeTarget.Choice choice,
            @Nullable RetryListener retries) {
        this.context = context;
        this.reads = new BlobReads(context, requested.verb(), requested.name());
        this.requested = requested;
        this.share = share;
        this.choice = choice;
        this.retries = retries;
        this.max = requested.count();
        this.pinned = requested.version();
        this.found = pinned == null ? null : pinned.info().origin();
    }

    /** Returns a request for the bytes that are missing. */
    Exchange<StorageResponse> request(RetrySettings settings) {
        return reads.get(this, requested.unless(), requested.ifTags(), settings);
    }

    /** Sets the request whose responses bring the next bytes. */
    void sentBy(Exchange<StorageResponse> exchange) {
        running = exchange;
    }

    /** Reads at most so many bytes. */
    void limit(int bytes) {
        max = bytes;
    }

    /** Takes memory that was granted for all its bytes. */
    void granted(long bytes) {
        taken = bytes;
    }

    /** Returns the place of its first response, or that of its version before; {@code null} if it has none. */
    @Nullable
    ReadOrigin found() {
        return found;
    }

    /** Returns its version, or {@code null} before the first response to a request without a version. */
    @Nullable
    PinnedVersion version() {
        return pinned;
    }

    @Override
    public NextRange missing() {
        PinnedVersion version = pinned;
        String ifMatch = version == null ? requested.ifMatch() : version.ifMatch();
        int repeated = repeated();
        int count = target == null || size == 0 ? max : size - filled + repeated;
        return new NextRange(requested.offset() + filled - repeated, count, ifMatch);
    }

    /** The last byte is requested once more where a response has ended in an error behind it: no range is empty. */
    private int repeated() {
        return target != null && size > 0 && filled == size ? 1 : 0;
    }

    @Override
    public void retried() {
        if (retries != null) {
            retries.retried();
        }
    }

    @Override
    public void begin(int status, StorageResponse.Headers headers, long contentLength) throws IOException {
        Exchange<StorageResponse> exchange = Objects.requireNonNull(running, "a response without a request");
        RangeCheck check =
                new RangeCheck(context, requested, exchange.clientRequestId(), status, headers, contentLength);
        NextRange missing = missing();
        ContentRange response = check.checked(missing, pinned);
        ignored = headers.value(HttpHeaderName.CONTENT_RANGE) == null;
        skipped = ignored ? Math.min(missing.from(), contentLength) : repeated();
        lastId = headers.value(StorageResponse.REQUEST_ID);
        if (target != null) {
            useful = Math.min(response.length() - repeated(), size - filled);
            return;
        }
        useful = response.length();
        ReadOrigin place = exchange.attempt().origin();
        found = place;
        PinnedVersion version = pinned;
        if (version == null) {
            PinnedVersion seen = new PinnedVersion(reads.info(headers, response, place), response.created());
            version = seen.readable(context, requested.verb(), status, check.ids());
            pinned = version;
        }
        // All requested bytes that the blob has, however few of them this response carries: the rest is requested then.
        int all = (int) Math.max(0, Math.min(max, response.total() - requested.offset()));
        RangeTarget chosen = choice.of(version, all);
        count(chosen.memory());
        size = all;
        target = chosen;
    }

    private void count(int memory) {
        TransferMemory.Share counts = share;
        if (counts == null) {
            return;
        }
        if (taken > 0) {
            // The blob has changed since its memory was granted.
            counts.force(Math.max(0, memory - taken));
        } else if (memory <= RangeSource.UNCOUNTED) {
            counts.force(counts.yields() ? 0 : memory);
        } else if (!counts.tryTake(memory)) {
            throw new NoMemoryException(memory);
        }
    }

    @Override
    public void add(BodyPart part) throws IOException {
        int before = (int) Math.min(skipped, part.length());
        skipped -= before;
        int count = (int) Math.min(useful, part.length() - before);
        if (!ignored && before + count < part.length()) {
            throw new IOException("the response has more bytes than its range");
        }
        if (count > 0) {
            Objects.requireNonNull(target).add(part.part(before, count));
            filled += count;
            useful -= count;
        }
    }

    @Override
    public boolean progressed() {
        boolean more = filled > counted;
        counted = filled;
        return more;
    }

    @Override
    public boolean ready(Runnable again) {
        return Objects.requireNonNull(target).ready(again);
    }

    /** Returns whether all its bytes have arrived. */
    boolean isComplete() {
        return filled == size;
    }

    /** Takes the bytes out: the request that refers to this may live as long as the download. */
    BlobPiece piece(FailureFacts.Ids ids) {
        RangeTarget whole = Objects.requireNonNull(target, "a response without its head");
        target = null;
        return new BlobPiece(Objects.requireNonNull(pinned), requested.offset(), whole.bytes(), ids);
    }

    /** Describes the bytes that have arrived, or {@code null} before any response. */
    @Nullable
    String arrived() {
        return target == null ? null : filled + " of " + size + " bytes from " + requested.offset() + " on";
    }

    /** Returns the service's id of the last response, or {@code null}. */
    @Nullable
    String lastId() {
        return lastId;
    }

    /** The signal that the memory for a response's bytes is missing. No error but to the attempts of a range. */
    static final class NoMemoryException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final long bytes;

        NoMemoryException(long bytes) {
            super("no memory", null, false, false);
            this.bytes = bytes;
        }

        long bytes() {
            return bytes;
        }
    }
}
