package io.stowline.caching;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A service that has blobs by path, understands If-None-Match, and remembers its requests. */
final class FakeBlobs implements HttpClient {

    static final String HOST = "https://account.blob.core.windows.net";

    final List<HttpRequest> requests = new ArrayList<>();
    final Map<String, String> blobs = new HashMap<>();
    final Map<String, String> more = new HashMap<>();
    int bodies;
    int failing;
    boolean hanging;

    @Nullable
    RuntimeException failure;

    UnaryOperator<HttpRequest> route = request -> request;

    HttpPipeline pipeline(HttpPipelinePolicy... policies) {
        return new HttpPipelineBuilder().policies(policies).httpClient(this).build();
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return hanging ? Mono.never() : Mono.fromCallable(() -> respond(request));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        return respond(request);
    }

    private HttpResponse respond(HttpRequest request) {
        requests.add(request);
        if (failure != null) {
            throw failure;
        }
        HttpRequest answering = route.apply(request);
        if (failing != 0) {
            return response(answering, failing, Map.of("x-ms-error-code", "Failing"), "failing");
        }
        String blob = blobs.get(request.getUrl().getPath());
        boolean reads = request.getHttpMethod() == HttpMethod.GET || request.getHttpMethod() == HttpMethod.HEAD;
        if (!reads) {
            return response(answering, 201, Map.of(), "");
        }
        return blob == null
                ? response(answering, 404, Map.of("x-ms-error-code", "BlobNotFound"), "")
                : found(answering, blob);
    }

    private HttpResponse found(HttpRequest request, String blob) {
        String etag = "\"" + blob.hashCode() + "\"";
        if (etag.equals(request.getHeaders().getValue(HttpHeaderName.IF_NONE_MATCH))) {
            return response(request, 304, Map.of("x-ms-error-code", "ConditionNotMet"), "");
        }
        Map<String, String> headers = new HashMap<>(more);
        headers.put("ETag", etag);
        headers.put("Content-Length", String.valueOf(blob.length()));
        headers.put("Content-Type", "text/plain");
        if (request.getHttpMethod() == HttpMethod.HEAD) {
            return response(request, 200, headers, "");
        }
        bodies++;
        boolean range = request.getHeaders().get(HttpHeaderName.fromString("x-ms-range")) != null;
        return response(request, range ? 206 : 200, headers, blob);
    }

    private static HttpResponse response(HttpRequest request, int status, Map<String, String> given, String body) {
        Map<String, String> headers = new HashMap<>(given);
        headers.put("x-ms-request-id", "r-1");
        return new ReplayedResponse(request, status, headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
