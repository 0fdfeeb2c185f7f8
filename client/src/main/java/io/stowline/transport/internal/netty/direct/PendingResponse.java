package io.stowline.transport.internal.netty.direct;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.StrayResponseException;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * One subscriber's request, which waits for its response: first for a connection, then on it. It ends once, with the
 * response, an error or a cancel. As a task it resets the connection that carries it. Thread-safe.
 */
final class PendingResponse implements Subscription, Runnable {

    private static final int ASSEMBLED = 0;
    private static final int WAITING = 1;
    private static final int CARRIED = 2;
    private static final int OVER = 3;
    private static final AtomicIntegerFieldUpdater<PendingResponse> STATE =
            AtomicIntegerFieldUpdater.newUpdater(PendingResponse.class, "state");

    private final DirectRequest request;
    private final String address;
    private final ConnectionPool pool;
    private final CoreSubscriber<? super HttpResponse> actual;
    private final WriteTracker tracker;
    private volatile int state = ASSEMBLED;
    private volatile @Nullable HttpConnection connection;
    /** The time since which it waits for a connection; guarded by the pool. */
    private long waitingSince;

    /** A request that its subscriber has not requested yet. */
    PendingResponse(
            DirectRequest request, String address, ConnectionPool pool, CoreSubscriber<? super HttpResponse> actual) {
        this.request = request;
        this.address = address;
        this.pool = pool;
        this.actual = actual;
        WriteTracker given = actual.currentContext().getOrDefault(WriteTracker.class, null);
        this.tracker = given == null ? WriteTracker.reporting() : given;
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n) && STATE.compareAndSet(this, ASSEMBLED, WAITING)) {
            pool.acquire(this);
        }
    }

    @Override
    public void cancel() {
        int before = STATE.getAndSet(this, OVER);
        if (before == WAITING) {
            pool.forget(this);
        } else if (before == CARRIED) {
            reset();
        }
    }

    /** Ends the attempt, and its bytes with it. */
    @Override
    public void run() {
        if (state == CARRIED) {
            reset();
        }
    }

    private void reset() {
        HttpConnection carrier = connection;
        if (carrier != null) {
            carrier.giveUp(this);
        }
    }

    /** Returns whether it still wants a connection. */
    boolean waiting() {
        return state == WAITING;
    }

    long waitingSince() {
        return waitingSince;
    }

    void waitingSince(long now) {
        waitingSince = now;
        tracker.waitsForConnection();
    }

    /** Notes that a connection was opened for the request, and returns it. */
    static @Nullable PendingResponse connected(@Nullable PendingResponse first) {
        if (first != null) {
            first.tracker.connected();
        }
        return first;
    }

    /** Fails since the connection that was being opened for it has failed. */
    void unconnected(Throwable cause) {
        tracker.connected();
        fail(cause);
    }

    /**
     * Takes a connection; false if it is over.
     *
     * @return false if it is over and needs none
     */
    boolean carriedBy(HttpConnection carrier) {
        connection = carrier;
        return STATE.compareAndSet(this, WAITING, CARRIED);
    }

    /**
     * Records that it is about to be written.
     *
     * @return false if its attempt is over: then it must not be, for it counts as never written
     */
    boolean markWritten() {
        tracker.carriedBy(this);
        return tracker.markWritten();
    }

    /**
     * Checks that a response can be its own.
     *
     * @param written whether it was written whole
     * @throws StrayResponseException if it is the response to another request
     */
    void check(ResponseHead head, boolean written) throws StrayResponseException {
        if (!written && head.success()) {
            throw StrayResponseException.early(head.status());
        }
        StrayResponseException stray =
                StrayResponseException.against(id(), head.value(StorageResponse.CLIENT_REQUEST_ID));
        if (stray != null) {
            throw stray;
        }
    }

    /** Returns the tracker of its attempt. */
    WriteTracker tracker() {
        return tracker;
    }

    /** Returns whether it is on its connection and not over. */
    boolean carried() {
        return state == CARRIED;
    }

    /** Returns the body, if it is not encoded with the head, or {@code null}. */
    @Nullable
    RequestBody slicedBody() {
        RequestBody body = request.content();
        return body == null || !body.sliced() ? null : body;
    }

    ByteBuf encoded(ByteBufAllocator memory) {
        return RequestEncoder.encode(request, pool.origin(), address, memory);
    }

    /** Returns the most bytes of a successful response that is read as an array. */
    int maxResponse() {
        return request.maxResponse();
    }

    /** Returns whether its response has no body. */
    boolean bodiless() {
        return request.getHttpMethod() == HttpMethod.HEAD;
    }

    /** Returns the id that its response echoes. */
    @Nullable
    String id() {
        return request.headers().value(StorageResponse.CLIENT_REQUEST_ID);
    }

    void succeed(ResponseHead head, byte[] body) {
        if (STATE.getAndSet(this, OVER) == OVER) {
            return;
        }
        try {
            actual.onNext(new BufferedResponse(request, head.status(), head, body));
            actual.onComplete();
        } catch (Throwable thrown) {
            dropped(thrown);
        }
    }

    void fail(Throwable error) {
        if (STATE.getAndSet(this, OVER) == OVER) {
            return;
        }
        try {
            actual.onError(error);
        } catch (Throwable thrown) {
            dropped(thrown);
        }
    }

    /** A subscriber that throws must not end the exchange that its connection carries next. */
    private void dropped(Throwable thrown) {
        FatalErrors.thrown(thrown, actual.currentContext());
    }
}
