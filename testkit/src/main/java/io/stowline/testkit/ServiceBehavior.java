package io.stowline.testkit;

import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.service.DeletionDelay;
import io.stowline.testkit.internal.service.EmptyPages;
import io.stowline.testkit.internal.service.EntitiesNotModified;
import io.stowline.testkit.internal.service.JsonErrors;
import io.stowline.testkit.internal.service.ServiceClock;
import io.stowline.testkit.internal.service.SmallPages;
import io.stowline.testkit.internal.service.Throttling;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A behaviour of the real services that the emulator lacks, for a {@link FaultProxy} to add.
 *
 * <p>Several may be given to one proxy; the first one is nearest to the client. They understand endpoints with the account in the path, as
 * emulators have them. Immutable: each proxy starts from the beginning.
 */
public final class ServiceBehavior {

    private final String name;
    private final Supplier<Stage> stage;

    private ServiceBehavior(String name, Supplier<Stage> stage) {
        this.name = name;
        this.stage = stage;
    }

    /**
     * Returns a behaviour that responds to a read of an entity with {@code If-None-Match} by a 304 when the ETag is the
     * same. No page promises that for entities; a cache has to bear both.
     *
     * @return the behaviour
     */
    public static ServiceBehavior entitiesNotModified() {
        return new ServiceBehavior("entitiesNotModified", EntitiesNotModified::new);
    }

    /**
     * Returns a behaviour that puts an empty page with a continuation before each page of entities, as at the border of a partition.
     *
     * @return the behaviour
     */
    public static ServiceBehavior emptyPages() {
        return emptyPagesEvery(1);
    }

    /**
     * Returns a behaviour that puts an empty page with a continuation before some pages of entities. The row key of that continuation is in
     * turn there, there but empty, and absent.
     *
     * @param n which page: 1 for each, 2 for each second
     * @return the behaviour
     * @throws IllegalArgumentException if it is less than 1
     */
    public static ServiceBehavior emptyPagesEvery(int n) {
        atMinOne("n", n);
        return new ServiceBehavior("emptyPagesEvery(" + n + ")", () -> new EmptyPages(n));
    }

    /**
     * Returns a behaviour that limits pages of entities, whatever {@code $top} requests.
     *
     * @param n the most entities in a page
     * @return the behaviour
     * @throws IllegalArgumentException if it is less than 1
     */
    public static ServiceBehavior smallPages(int n) {
        atMinOne("n", n);
        return new ServiceBehavior("smallPages(" + n + ")", () -> new SmallPages(n));
    }

    /**
     * Returns a behaviour that refuses to create a deleted table, queue or container again at once: 409 with {@code TableBeingDeleted},
     * {@code QueueBeingDeleted} or {@code ContainerBeingDeleted}. Until then, any use of such a table gets a 409 too, while queues and
     * containers are not found.
     *
     * @param requests how many requests to create it are refused
     * @return the behaviour
     * @throws IllegalArgumentException if it is less than 1
     */
    public static ServiceBehavior beingDeleted(int requests) {
        atMinOne("requests", requests);
        return new ServiceBehavior("beingDeleted(" + requests + ")", () -> new DeletionDelay(requests));
    }

    /**
     * Returns a behaviour whose service clock is ahead of that of this machine: responses carry its date, and signed
     * requests that are dated more than 15 minutes off it are refused 403. Beside strict mode, put {@link
     * StrictRule#DATE_SKEW} out of force there.
     *
     * @param by how far
     * @return the behaviour
     */
    public static ServiceBehavior clockAhead(Duration by) {
        return clock(Clock.offset(Clock.systemUTC(), by));
    }

    /**
     * Returns a behaviour whose service clock is behind that of this machine; the opposite of {@link #clockAhead}.
     *
     * @param by how far
     * @return the behaviour
     */
    public static ServiceBehavior clockBehind(Duration by) {
        return clockAhead(by.negated());
    }

    /**
     * Returns a behaviour whose service goes by a clock; see {@link #clockAhead}.
     *
     * @param service the service's clock
     * @return the behaviour
     */
    public static ServiceBehavior clock(Clock service) {
        return new ServiceBehavior("clock(" + service + ")", () -> new ServiceClock(service));
    }

    /**
     * Returns a behaviour whose service is busy now and then: 503 {@code ServerBusy} with {@code Retry-After}.
     *
     * @param everyNth which request is refused: 1 for each, 2 for each second
     * @param retryAfter the {@code Retry-After} of the response; fractions of a second are dropped
     * @return the behaviour
     * @throws IllegalArgumentException if the number is less than 1, or the time negative
     */
    public static ServiceBehavior throttled(int everyNth, Duration retryAfter) {
        atMinOne("everyNth", everyNth);
        if (retryAfter.isNegative()) {
            throw new IllegalArgumentException("retryAfter must not be negative: " + retryAfter);
        }
        return new ServiceBehavior(
                "throttled(" + everyNth + ", " + retryAfter + ")", () -> new Throttling(everyNth, retryAfter));
    }

    /**
     * Returns a behaviour that gives the 403 of the table service a body in JSON, where the emulator sends XML.
     *
     * @return the behaviour
     */
    public static ServiceBehavior jsonErrors() {
        return new ServiceBehavior("jsonErrors", JsonErrors::new);
    }

    private static void atMinOne(String parameter, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(parameter + " must be at least 1: " + value);
        }
    }

    Stage stage() {
        return stage.get();
    }

    /** Names the behaviour and its figures. */
    @Override
    public String toString() {
        return "ServiceBehavior[" + name + "]";
    }
}
