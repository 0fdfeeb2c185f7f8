package io.stowline.testkit.stress;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An operation of a load: a lambda with its kind, weight and size. Immutable. */
public final class StressOperation {

    private static final int MAX_WEIGHT = 1_000_000;
    private static final int MAX_ENTITIES = 1_000;

    private final String name;
    private final boolean write;
    private final @Nullable Blocking blocking;
    private final @Nullable Async async;
    private final int weight;
    private final int entities;

    private StressOperation(
            String name, boolean write, @Nullable Blocking blocking, @Nullable Async async, int weight, int entities) {
        this.name = Objects.requireNonNull(name, "name");
        this.write = write;
        this.blocking = blocking;
        this.async = async;
        this.weight = weight;
        this.entities = entities;
    }

    /** A call that blocks its thread. */
    @FunctionalInterface
    public interface Blocking {

        /**
         * Carries out a call.
         *
         * @param call the keys of the call
         * @throws Exception if it fails
         */
        void carryOut(StressCall call) throws Exception;
    }

    /** A call that ends later: a {@code CompletableFuture}, or {@code Mono.toFuture()}. */
    @FunctionalInterface
    public interface Async {

        /**
         * Begins a call.
         *
         * @param call the keys of the call
         * @return its end
         * @throws Exception if it fails
         */
        CompletionStage<?> begin(StressCall call) throws Exception;
    }

    /**
     * Makes an operation that reads, point reads and queries alike. It counts in the rate of GET.
     *
     * @param name its name in the report
     * @param call the call
     * @return the operation, with a weight of 1 and one entity
     */
    public static StressOperation read(String name, Blocking call) {
        return new StressOperation(name, false, Objects.requireNonNull(call, "call"), null, 1, 1);
    }

    /**
     * Makes an operation that writes. It counts in the rate of PUT.
     *
     * @param name its name in the report
     * @param call the call
     * @return the operation, with a weight of 1 and one entity
     */
    public static StressOperation write(String name, Blocking call) {
        return new StressOperation(name, true, Objects.requireNonNull(call, "call"), null, 1, 1);
    }

    /**
     * Makes an operation that reads without blocking.
     *
     * @param name its name in the report
     * @param call the call
     * @return the operation, with a weight of 1 and one entity
     */
    public static StressOperation readAsync(String name, Async call) {
        return new StressOperation(name, false, null, Objects.requireNonNull(call, "call"), 1, 1);
    }

    /**
     * Makes an operation that writes without blocking.
     *
     * @param name its name in the report
     * @param call the call
     * @return the operation, with a weight of 1 and one entity
     */
    public static StressOperation writeAsync(String name, Async call) {
        return new StressOperation(name, true, null, Objects.requireNonNull(call, "call"), 1, 1);
    }

    /**
     * Returns the operation with another share of the calls.
     *
     * @param weight its weight beside those of the others, 1 to 1,000,000
     * @return the operation
     */
    public StressOperation weight(int weight) {
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "the weight " + weight + " of " + name + ": the limits are 1 and " + MAX_WEIGHT);
        }
        return new StressOperation(name, write, blocking, async, weight, entities);
    }

    /**
     * Returns the operation with another size: 100 for a full transaction, or what a query is expected to scan. The rate of a step is in
     * entities, and {@link StressCall#entities} reports the true number.
     *
     * @param entities the entities of a call, 1 to 1,000
     * @return the operation
     */
    public StressOperation entities(int entities) {
        if (entities < 1 || entities > MAX_ENTITIES) {
            throw new IllegalArgumentException(
                    "the " + entities + " entities of " + name + ": the limits are 1 and " + MAX_ENTITIES);
        }
        return new StressOperation(name, write, blocking, async, weight, entities);
    }

    String name() {
        return name;
    }

    boolean isWrite() {
        return write;
    }

    @Nullable
    Blocking blocking() {
        return blocking;
    }

    @Nullable
    Async async() {
        return async;
    }

    int weight() {
        return weight;
    }

    int entities() {
        return entities;
    }

    @Override
    public String toString() {
        return "StressOperation[" + name + ", " + (write ? "write" : "read") + ", weight " + weight + ", entities "
                + entities + "]";
    }
}
