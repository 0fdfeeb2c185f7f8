package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.http.response.WriteTracker;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client of one Stowline client, and what is known of its requests on their way.
 *
 * @param trackers begins the record of what one attempt has written
 * @param userAgent names the client
 * @param transport the connections that are the client's to close, or {@code null} if the application has given an HTTP client
 */
public record HttpWire(
        HttpClient client,
        Supplier<WriteTracker> trackers,
        UserAgent userAgent,
        @Nullable NettyTransport transport) {

    /**
     * Returns the HTTP client of the settings, or else one that the client owns.
     *
     * @param account the account's name, for the threads
     * @param connections the most connections to one host
     */
    public static HttpWire of(String account, HttpSettings http, int connections) {
        UserAgent userAgent = UserAgent.of(http.applicationId());
        HttpClient given = http.client();
        if (given != null) {
            return silent(given, userAgent);
        }
        NettyTransport own =
                NettyTransport.of(account, connections, ProxySelection.of(http), http.connectionAge(), null);
        return new HttpWire(own.client(), WriteTracker::reporting, userAgent, own);
    }

    /** Returns an HTTP client of this library, which reports its writes. */
    public static HttpWire telling(HttpClient client) {
        return new HttpWire(client, WriteTracker::reporting, UserAgent.OWN, null);
    }

    /** Returns another HTTP client, which reports nothing: only its errors may show that there was no connection. */
    public static HttpWire silent(HttpClient client) {
        return silent(client, UserAgent.OWN);
    }

    private static HttpWire silent(HttpClient client, UserAgent userAgent) {
        return new HttpWire(new EagerHttpClient(client), WriteTracker::silent, userAgent, null);
    }

    /** Gives up what was prepared; nothing has been opened yet. */
    public void close() {
        if (transport != null) {
            transport.close(Duration.ZERO).subscribe();
        }
    }
}
