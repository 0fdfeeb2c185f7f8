package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.writer.BatcherErrors;
import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.batching.internal.writer.UncollectedItems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exceptions of the tests, one class for each method of the contract. */
@SuppressWarnings("serial")
final class TestErrors implements BatcherErrors {

    static final class BufferFullException extends RuntimeException {

        BufferFullException(String message) {
            super(message);
        }
    }

    static final class OversizeItemException extends IllegalArgumentException {

        private final long size;
        private final int limit;

        OversizeItemException(long size, int limit) {
            super("a batch of this item alone takes " + size + " bytes, the limit is " + limit);
            this.size = size;
            this.limit = limit;
        }

        long size() {
            return size;
        }

        int limit() {
            return limit;
        }
    }

    static final class ClosedException extends IllegalStateException {

        ClosedException(String message) {
            super(message);
        }
    }

    static final class WaitInterruptedException extends RuntimeException {

        WaitInterruptedException(String message, InterruptedException cause) {
            super(message, cause);
        }
    }

    static final class DeliveryTimeoutException extends RuntimeException {

        private final Duration timeout;

        DeliveryTimeoutException(String message, Duration timeout, @Nullable Throwable last) {
            super(message, last);
            this.timeout = timeout;
        }

        Duration timeout() {
            return timeout;
        }
    }

    static final class LeftoverException extends RuntimeException {

        private final transient Object item;
        private final boolean sent;

        LeftoverException(Object item, boolean sent) {
            super(sent ? "sent" : "not sent");
            this.item = item;
            this.sent = sent;
        }

        Object item() {
            return item;
        }

        boolean sent() {
            return sent;
        }
    }

    static final class PredecessorFailedException extends RuntimeException {

        PredecessorFailedException(String entity, Throwable cause) {
            super("not sent: an earlier item of entity " + entity + " failed", cause);
        }
    }

    static final class PredecessorUnknownException extends RuntimeException {

        private final transient Object entity;

        PredecessorUnknownException(Object entity, String name, Throwable cause) {
            super("not sent: unknown whether an earlier item of entity " + name + " was applied", cause);
            this.entity = entity;
        }

        Object entity() {
            return entity;
        }
    }

    static final class GaveUpException extends RuntimeException {

        private final Duration after;
        private final long unsent;
        private final long inFlight;
        private final long failed;
        private final long succeeded;

        GaveUpException(
                Duration after, long unsent, long inFlight, long failed, long succeeded, @Nullable Throwable last) {
            super("gave up after " + after, last);
            this.after = after;
            this.unsent = unsent;
            this.inFlight = inFlight;
            this.failed = failed;
            this.succeeded = succeeded;
        }

        Duration after() {
            return after;
        }

        long unsent() {
            return unsent;
        }

        long inFlight() {
            return inFlight;
        }

        long failed() {
            return failed;
        }

        long succeeded() {
            return succeeded;
        }
    }

    static final class UncollectedFailuresException extends RuntimeException {

        private final transient UncollectedItems items;

        UncollectedFailuresException(UncollectedItems items) {
            super(
                    items.kinds().toString(),
                    items.failures().isEmpty() ? null : items.failures().get(0).cause());
            this.items = items;
        }

        List<FailedItem> failures() {
            return items.failures();
        }

        Map<Class<?>, Long> kinds() {
            return items.kinds();
        }

        long count() {
            return items.kinds().values().stream().mapToLong(Long::longValue).sum();
        }
    }

    @Override
    public RuntimeException bufferFull(String message) {
        return new BufferFullException(message);
    }

    @Override
    public RuntimeException oversize(long size, int limit) {
        return new OversizeItemException(size, limit);
    }

    @Override
    public RuntimeException closed(String message) {
        return new ClosedException(message);
    }

    @Override
    public RuntimeException interrupted(String message, InterruptedException cause) {
        return new WaitInterruptedException(message, cause);
    }

    @Override
    public RuntimeException deliveryTimeout(String message, Duration timeout, @Nullable Throwable last) {
        return new DeliveryTimeoutException(message, timeout, last);
    }

    @Override
    public RuntimeException leftover(Object item, boolean sent) {
        return new LeftoverException(item, sent);
    }

    @Override
    public RuntimeException predecessorFailed(String entity, Throwable cause) {
        return new PredecessorFailedException(entity, cause);
    }

    @Override
    public RuntimeException predecessorUnknown(Object entity, String name, Throwable cause) {
        return new PredecessorUnknownException(entity, name, cause);
    }

    @Override
    public RuntimeException gaveUp(
            Duration after, long unsent, long inFlight, long failed, long succeeded, @Nullable Throwable last) {
        return new GaveUpException(after, unsent, inFlight, failed, succeeded, last);
    }

    @Override
    public @Nullable RuntimeException atClose(@Nullable Throwable broken, @Nullable UncollectedItems uncollected) {
        RuntimeException failures = uncollected == null ? null : new UncollectedFailuresException(uncollected);
        if (!(broken instanceof GaveUpException end)) {
            return failures;
        }
        GaveUpException copy = new GaveUpException(
                end.after(), end.unsent(), end.inFlight(), end.failed(), end.succeeded(), end.getCause());
        if (failures != null) {
            copy.addSuppressed(failures);
        }
        return copy;
    }
}
