package io.stowline.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A place where requests or responses wait until a test lets them go on.
 *
 * <pre>{@code
 * RequestHold hold = new RequestHold();
 * proxy.when(requests().method("POST")).holdBefore(hold);
 * // start something that posts
 * hold.awaitArrived(Duration.ofSeconds(20));
 * // look at what the client does while it waits
 * hold.release();
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
public final class RequestHold {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<SentRequest> arrived = new ArrayList<>();

    /** Makes a place that holds whatever comes. */
    public RequestHold() {}

    /** Lets go what waits here, and what comes later. Has no effect the second time. */
    public void release() {
        gate.countDown();
    }

    /**
     * Waits until a request, or its response, has come here.
     *
     * @param atMost how long
     * @return the first request that came
     * @throws TestkitException if none came in that time, or the thread was interrupted
     */
    public SentRequest awaitArrived(Duration atMost) {
        return awaitArrived(1, atMost).get(0);
    }

    /**
     * Waits until several requests, or their responses, have come here.
     *
     * @param count how many
     * @param atMost how long
     * @return the requests that came, in order
     * @throws TestkitException if fewer came in that time, or the thread was interrupted
     */
    public synchronized List<SentRequest> awaitArrived(int count, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        long left = atMost.toNanos();
        try {
            while (arrived.size() < count && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (arrived.size() < count) {
            throw new TestkitException(
                    arrived.size() + " of " + count + " requests came to the hold within " + atMost + ": " + arrived);
        }
        return List.copyOf(arrived);
    }

    /**
     * Returns the number of requests or responses that have come here, those included that have passed since.
     *
     * @return a count
     */
    public synchronized int arrivals() {
        return arrived.size();
    }

    CountDownLatch gate() {
        return gate;
    }

    synchronized void arrived(SentRequest request) {
        arrived.add(request);
        notifyAll();
    }
}
