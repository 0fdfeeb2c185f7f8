package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.wire.HttpDate;
import io.stowline.testkit.internal.wire.Targets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Signs probes with the key of the well-known account, and sends them to endpoints. */
public final class RawStorage {

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();

    private final Function<StorageService, URI> endpoints;
    private final Clock clock;

    public RawStorage(Function<StorageService, URI> endpoints, Clock clock) {
        this.endpoints = endpoints;
        this.clock = clock;
    }

    public HttpResponse<String> send(StrictProbe probe) throws IOException, InterruptedException {
        URI uri = URI.create(endpoints.apply(probe.service()) + probe.path());
        Map<String, String> headers = new LinkedHashMap<>(probe.headers());
        if (probe.authorization() == StrictProbe.Authorization.KEY) {
            headers.putIfAbsent("x-ms-date", HttpDate.format(clock.instant()));
            headers.values().removeIf(String::isEmpty);
            headers.put("Authorization", authorization(probe, uri, headers));
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(30))
                .method(probe.method(), HttpRequest.BodyPublishers.ofByteArray(probe.body()));
        headers.forEach(request::header);
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    StrictVerdict verdict(StrictProbe probe) throws IOException, InterruptedException {
        HttpResponse<String> response = send(probe);
        return StrictVerdict.of(
                response.statusCode(),
                response.headers().firstValue("x-ms-error-code").orElse(""),
                response.body());
    }

    private static String authorization(StrictProbe probe, URI uri, Map<String, String> headers) {
        if (probe.service() == StorageService.TABLE) {
            String date = headers.getOrDefault("x-ms-date", "");
            return "SharedKeyLite " + StrictProbe.ACCOUNT + ":"
                    + Sas.sign(date + "\n/" + StrictProbe.ACCOUNT + uri.getRawPath());
        }
        return "SharedKey " + StrictProbe.ACCOUNT + ":" + Sas.sign(text(probe, uri, headers));
    }

    /** The string to sign of the page "Authorize with Shared Key". */
    private static String text(StrictProbe probe, URI uri, Map<String, String> sent) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(sent);
        if (probe.body().length > 0) {
            headers.put("Content-Length", Integer.toString(probe.body().length));
        }
        String standard = Stream.of(
                        "Content-Encoding",
                        "Content-Language",
                        "Content-Length",
                        "Content-MD5",
                        "Content-Type",
                        "Date",
                        "If-Modified-Since",
                        "If-Match",
                        "If-None-Match",
                        "If-Unmodified-Since",
                        "Range")
                .map(name -> headers.getOrDefault(name, "") + "\n")
                .collect(Collectors.joining());
        return probe.method() + "\n" + standard + ofMicrosoft(headers) + "/" + StrictProbe.ACCOUNT + uri.getRawPath()
                + parameters(uri);
    }

    private static String ofMicrosoft(Map<String, String> headers) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().toLowerCase(Locale.ROOT).startsWith("x-ms-"))
                .map(header -> header.getKey().toLowerCase(Locale.ROOT) + ":" + header.getValue() + "\n")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String parameters(URI uri) {
        return new TreeMap<>(Targets.query(uri.toString()))
                .entrySet().stream()
                        .map(parameter -> "\n" + parameter.getKey() + ":" + parameter.getValue())
                        .collect(Collectors.joining());
    }
}
