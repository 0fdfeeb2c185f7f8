package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * How requests travel.
 *
 * @param client the application's HTTP client, or {@code null} for one of our own
 * @param proxy the proxy, or {@code null} for what the configuration says
 * @param configuration where proxies are looked for, or {@code null} for the environment
 * @param applicationId names the application to the service, or {@code null} for nobody
 */
public record HttpSettings(
        @Nullable HttpClient client,
        @Nullable ProxyOptions proxy,
        @Nullable Configuration configuration,
        @Nullable String applicationId) {

    /** An HTTP client of our own, and the proxy of the environment. */
    public static final HttpSettings DEFAULT = new HttpSettings(null, null, null, null);

    /**
     * The same with the application's HTTP client.
     *
     * @param given the client
     * @return the settings
     */
    public HttpSettings client(HttpClient given) {
        return new HttpSettings(given, proxy, configuration, applicationId);
    }

    /**
     * The same with a proxy.
     *
     * @param given the proxy
     * @return the settings
     */
    public HttpSettings proxy(ProxyOptions given) {
        return new HttpSettings(client, given, configuration, applicationId);
    }

    /**
     * The same with a configuration.
     *
     * @param given the configuration
     * @return the settings
     */
    public HttpSettings configuration(Configuration given) {
        return new HttpSettings(client, proxy, given, applicationId);
    }

    /**
     * The same with the name of the application.
     *
     * @param given the name
     * @return the settings
     * @throws IllegalArgumentException if the service would not take it, see {@link UserAgent#checkApplication}
     */
    public HttpSettings applicationId(String given) {
        return new HttpSettings(client, proxy, configuration, UserAgent.checkApplication(given));
    }

    /**
     * Checks that they fit together.
     *
     * @return these settings
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
