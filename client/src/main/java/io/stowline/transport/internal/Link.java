package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import io.stowline.transport.internal.StorageAccount.Service;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What carries the requests of one client.
 *
 * @param wire the HTTP client and what is known of its requests
 * @param transport the connections that are the client's own to close, or {@code null} if the application has given an HTTP client
 */
record Link(Wire wire, @Nullable NettyTransport transport) {

    /** Answers that are still being read hold a connection, but no permit any longer (PERMIT-1). */
    static final int OPEN_STREAMS = 1_000;

    static Link of(StorageAccount account, ClientSettings settings) {
        HttpSettings http = settings.http();
        UserAgent userAgent = UserAgent.of(http.applicationId());
        HttpClient given = http.client();
        if (given != null) {
            return new Link(Wire.silent(given).named(userAgent), null);
        }
        int connections = connections(settings.bounds().parallelism().most());
        NettyTransport own = NettyTransport.of(account.name(), connections, Proxies.of(http), http.connectionAge());
        return new Link(Wire.telling(own.client()).named(userAgent), own);
    }

    /** For each remote host, which may serve all services: their permits and the reserved ones of the settle class. */
    private static int connections(int parallelism) {
        return Service.values().length * (parallelism + 1) + OPEN_STREAMS;
    }

    /** Gives up what was prepared; nothing has been opened yet. */
    void close() {
        if (transport != null) {
            transport.close(Duration.ZERO).subscribe();
        }
    }
}
