package io.stowline.testkit.internal.proxy.record;

import io.stowline.testkit.SentRequest;
import java.time.Duration;

/**
 * An exchange as it stood at one moment.
 *
 * @param connection the number of the connection
 * @param arrived when the request had come, since the start of the proxy
 * @param fate what had become of it
 * @param truncated whether a body is not whole
 */
public record Recording(
        int connection, Duration arrived, SentRequest request, ExchangeResult fate, boolean truncated) {}
