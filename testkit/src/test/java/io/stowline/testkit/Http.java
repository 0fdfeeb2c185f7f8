package io.stowline.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The client of the JDK, as the tests of the proxy use it. */
final class Http {

    static final HttpClient CLIENT = client();

    private Http() {}

    /** A client with its own connections. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
    }

    static HttpRequest.Builder request(URI endpoint, String path) {
        return HttpRequest.newBuilder(URI.create(endpoint + path)).timeout(Duration.ofSeconds(30));
    }

    static HttpResponse<String> get(URI endpoint, String path) throws IOException, InterruptedException {
        return CLIENT.send(request(endpoint, path).build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> send(URI endpoint, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request = request(endpoint, path)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }
}
