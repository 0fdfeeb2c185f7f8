package io.stowline.transport.internal.observe;

import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.http.StorageResponse.Trace;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of endpoints without responses: the first attempt without one, and then one in a minute, since the retries of
 * an operation may take longer than its operator's patience. Thread-safe.
 */
public final class SilentEndpoints {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.endpoints");
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);
    /** More than one service has with its secondary; an SDK client of the application may bring more. */
    private static final int MAX = 64;

    private final Map<String, Long> last = new ConcurrentHashMap<>();

    /**
     * Records an attempt that has ended with this error instead of a response.
     *
     * @param secrets the proof that the error may repeat
     * @param now the time by the clock of waits
     */
    public void failed(String url, Trace attempt, Throwable cause, RequestSecrets secrets, long now) {
        String endpoint = origin(url);
        if (due(endpoint, now)) {
            LOG.warn(
                    "no response from {}: {} (attempt {} of {}, {}); the next such line for this endpoint comes after a"
                            + " minute",
                    endpoint,
                    Redaction.text(cause, secrets),
                    attempt.attempts(),
                    attempt.operationName(),
                    attempt.clientRequestId());
        }
    }

    private boolean due(String endpoint, long now) {
        Long before = last.get(endpoint);
        if (before == null) {
            return last.size() < MAX && last.putIfAbsent(endpoint, now) == null;
        }
        return now - before >= PAUSE && last.replace(endpoint, before, now);
    }

    /**
     * Scheme, host and port only: the rest of the address may have a signature, and the part before the host a
     * password.
     */
    private static String origin(String url) {
        int host = url.indexOf("://") + 3;
        int end = host;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        int user = url.lastIndexOf('@', end - 1);
        return url.substring(0, host) + url.substring(user >= host ? user + 1 : host, end);
    }
}
