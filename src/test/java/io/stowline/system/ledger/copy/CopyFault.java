package io.stowline.system.ledger.copy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.http.response.BufferedResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Mono;

/** Fault of one request. */
enum CopyFault {
    NONE(true, 0),
    LOST(true, -1),
    RESET(false, -1),
    ERROR_BEFORE(false, 500),
    ERROR_AFTER(true, 500),
    BUSY(false, 503),
    GATEWAY_BEFORE(false, 404),
    GATEWAY_AFTER(true, 502),
    GATEWAY_SUCCESS(false, 201);

    private final boolean applied;
    private final int status;

    CopyFault(boolean applied, int status) {
        this.applied = applied;
        this.status = status;
    }

    /** Sends the request with this fault. */
    Mono<HttpResponse> send(HttpRequest request, HttpClient service) {
        Mono<HttpResponse> response = applied ? service.send(request) : Mono.empty();
        return switch (status) {
            case 0 -> response;
            case -1 -> response.then(Mono.error(() -> new IOException("Connection reset by peer")));
            default -> response.then(Mono.fromSupplier(() -> refusal(request)));
        };
    }

    /** A gateway has neither the headers nor the error codes of the service. */
    private HttpResponse refusal(HttpRequest request) {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.CONTENT_TYPE, "text/html");
        if (status == 500 || status == 503) {
            headers.set(HttpHeaderName.fromString("x-ms-request-id"), "made-by-the-test")
                    .set(HttpHeaderName.fromString("x-ms-error-code"), status == 500 ? "InternalError" : "ServerBusy");
        }
        return new BufferedResponse(request, status, headers, "<html/>".getBytes(StandardCharsets.UTF_8));
    }
}
