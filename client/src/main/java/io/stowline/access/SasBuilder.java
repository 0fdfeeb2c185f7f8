package io.stowline.access;

import java.time.Duration;
import java.time.Instant;

/**
 * A builder of shared access signatures: what is common to those of all resources. Without a time the signature is good for 30 minutes, from the
 * machine's present time on, and only over HTTPS unless the endpoint is this machine. Not thread-safe; may sign more than once.
 *
 * @param <B> the builder of one kind of resource
 * @param <R> the result of signing: a {@link SharedAccessSignature}, or a {@code Mono} of it
 */
public interface SasBuilder<B extends SasBuilder<B, R>, R> {

    /**
     * Sets how long the signature is good.
     *
     * @param time the time from the signing on, in whole seconds; at least 1 s, at most 7 days with a user delegation key
     * @return this builder
     * @throws IllegalArgumentException if the time is shorter than 1 s
     */
    B validFor(Duration time);

    /**
     * Sets when the signature ends.
     *
     * @param end the first moment at which the service refuses it; a part of a second is cut off
     * @return this builder
     */
    B until(Instant end);

    /**
     * Sets when the signature begins. Without a start it is good at once, also for a service whose clock is behind.
     *
     * @param start the first moment at which the service takes it; a part of a second is cut off
     * @return this builder
     */
    B startingAt(Instant start);

    /**
     * Sets the start 15 minutes back, for a receiver that wants a start and a service whose clock may be behind.
     *
     * @return this builder
     */
    B backdated();

    /**
     * Allows the access from one address only.
     *
     * @param address an IPv4 address as the service sees it, such as {@code 168.1.5.60}
     * @return this builder
     * @throws IllegalArgumentException if it is no IPv4 address
     */
    default B onlyFrom(String address) {
        return onlyFrom(address, address);
    }

    /**
     * Allows the access from a range of addresses only.
     *
     * @param first the first IPv4 address
     * @param last the last one, which is allowed, too
     * @return this builder
     * @throws IllegalArgumentException if one is no IPv4 address, or the range is empty
     */
    B onlyFrom(String first, String last);

    /**
     * Allows plain HTTP, over which others can read the signature. An endpoint on this machine has it without this call.
     *
     * @return this builder
     */
    B overHttpToo();

    /**
     * Signs. With a user delegation key this may send a request for the key.
     *
     * @return the signature; of a reactive face its {@code Mono}
     * @throws IllegalArgumentException naming what is missing, or outlives the key or seven days
     * @throws IllegalStateException if the client has neither an account key nor a {@code TokenCredential}
     */
    R sign();
}
