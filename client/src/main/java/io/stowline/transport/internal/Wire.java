package io.stowline.transport.internal;

import com.azure.core.http.HttpClient;
import java.util.function.Supplier;

/**
 * What carries requests, and what is known of them on their way.
 *
 * @param client the HTTP client
 * @param sendings begins the record of what one attempt has written
 * @param userAgent names the client
 */
record Wire(HttpClient client, Supplier<Sending> sendings, UserAgent userAgent) {

    /** Our own HTTP client, which tells when it writes. */
    static Wire telling(HttpClient client) {
        return new Wire(client, Sending::told, UserAgent.OWN);
    }

    /** Somebody else's HTTP client, which tells nothing: only its errors may show that there was no connection. */
    static Wire silent(HttpClient client) {
        return new Wire(new WholeAnswers(client), Sending::untold, UserAgent.OWN);
    }

    Wire named(UserAgent name) {
        return new Wire(client, sendings, name);
    }
}
