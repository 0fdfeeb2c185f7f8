package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The transport settings of requests.
 *
 * @param client the application's HTTP client, or {@code null} for the library's
 * @param proxy the proxy, or {@code null} for that of the configuration
 * @param configuration the source of proxies, or {@code null} for the environment
 * @param applicationId names the application to the service, or {@code null} for none
 * @param connectionAge the largest age of the library's connections
 */
public record HttpSettings(
        @Nullable HttpClient client,
        @Nullable ProxyOptions proxy,
        @Nullable Configuration configuration,
        @Nullable String applicationId,
        Duration connectionAge) {

    /** The default of the largest age of a connection. */
    static final Duration CONNECTION_AGE = Duration.ofMinutes(10);

    /** An HTTP client of our own, and the proxy of the environment. */
    public static final HttpSettings DEFAULT = new HttpSettings(null, null, null, null, CONNECTION_AGE);

    /** Sets the application's HTTP client. */
    public HttpSettings client(HttpClient given) {
        return new HttpSettings(given, proxy, configuration, applicationId, connectionAge);
    }

    /** Sets a proxy. */
    public HttpSettings proxy(ProxyOptions given) {
        return new HttpSettings(client, given, configuration, applicationId, connectionAge);
    }

    /** Sets a configuration. */
    public HttpSettings configuration(Configuration given) {
        return new HttpSettings(client, proxy, given, applicationId, connectionAge);
    }

    /**
     * Sets the name of the application.
     *
     * @throws IllegalArgumentException if the service would not take it, see {@link UserAgent#checkApplication}
     */
    public HttpSettings applicationId(String given) {
        return new HttpSettings(client, proxy, configuration, UserAgent.checkApplication(given), connectionAge);
    }

    /**
     * Sets the largest age of connections.
     *
     * @param age the age, 1 s to 365 days
     * @throws IllegalArgumentException if the age is out of range
     */
    public HttpSettings connectionAge(Duration age) {
        if (age.compareTo(Duration.ofSeconds(1)) < 0 || age.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException("connectionAge must be 1 s to 365 days but was " + age);
        }
        return new HttpSettings(client, proxy, configuration, applicationId, age);
    }

    /**
     * Checks that they fit together.
     *
     * @throws IllegalArgumentException if the application's HTTP client and a proxy are both given
     */
    public HttpSettings checked() {
        if (client != null && (proxy != null || configuration != null)) {
            throw new IllegalArgumentException("httpClient is given, and " + (proxy != null ? "proxy" : "configuration")
                    + " too: a client has its own proxy");
        }
        return this;
    }
}
