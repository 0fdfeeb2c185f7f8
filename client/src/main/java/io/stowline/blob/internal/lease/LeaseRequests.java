package io.stowline.blob.internal.lease;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.http.StorageResponse.ResponseMeaning;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The requests for the lease of one blob or container (the service's pages "Lease Blob" and "Lease Container"). Immutable. */
final class LeaseRequests {

    private static final HttpHeaderName ACTION = HttpHeaderName.fromString("x-ms-lease-action");
    private static final HttpHeaderName DURATION = HttpHeaderName.fromString("x-ms-lease-duration");
    private static final HttpHeaderName PROPOSED = HttpHeaderName.fromString("x-ms-proposed-lease-id");
    private static final HttpHeaderName PERIOD = HttpHeaderName.fromString("x-ms-lease-break-period");
    private static final HttpHeaderName TIME = HttpHeaderName.fromString("x-ms-lease-time");
    private static final HttpHeaderName STATE = HttpHeaderName.fromString("x-ms-lease-state");
    private static final HttpHeaderName ID = HttpHeaderName.fromString(ViewSettings.LEASE_ID);
    private static final DocumentedStatus ACQUIRED = DocumentedStatus.status(201, 200);
    private static final DocumentedStatus KEPT = DocumentedStatus.status(200);
    private static final DocumentedStatus BROKEN = DocumentedStatus.status(202);

    private final BlobContext context;
    private final RequestTarget target;
    private final String url;
    private final String query;

    /**
     * Prepares the requests.
     *
     * @param name the blob's name, or {@code null} for the container
     */
    LeaseRequests(BlobContext context, @Nullable String name) {
        this.context = context;
        this.target = name == null ? RequestTarget.of(context.name()) : context.target(BlobNameRules.check(name));
        this.url = name == null ? context.url() : context.url(name);
        this.query = name == null ? "restype=container" : "";
    }

    /** Returns the resource that the lease is of, as operations name it. */
    String resource() {
        return target.resource();
    }

    /**
     * Acquires the lease; repeated with its id, it lasts from then on.
     *
     * @param seconds its duration, -1 for no end
     */
    Exchange<Boolean> acquire(String id, long seconds, RetrySettings retry) {
        Request request = request("lease", "acquire")
                .addHeader(DURATION, Long.toString(seconds))
                .addHeader(PROPOSED, id);
        return Exchange.of(request, retry, parser(ACQUIRED, response -> true));
    }

    /** Renews the lease; false if the response names another one, as that of an emulator does for a lease that has ended. */
    Exchange<Boolean> renew(String id, RetrySettings retry) {
        Request request = request("renewLease", "renew").addHeader(ID, id);
        return Exchange.of(request, retry, parser(KEPT, response -> {
            String renewed = response.header(ID);
            return renewed == null || renewed.equalsIgnoreCase(id);
        }));
    }

    Exchange<Boolean> change(String id, String next, RetrySettings retry) {
        Request request = request("changeLease", "change").addHeader(ID, id).addHeader(PROPOSED, next);
        return Exchange.of(request, retry, parser(KEPT, response -> true));
    }

    Exchange<Boolean> release(String id, RetrySettings retry) {
        return Exchange.of(request("releaseLease", "release").addHeader(ID, id), retry, parser(KEPT, response -> true));
    }

    /** Breaks the lease of any client, and gives the seconds until others can get it. */
    Exchange<Long> breakWithin(long seconds, RetrySettings retry) {
        Request request = request("breakLease", "break")
                .addHeader(PERIOD, Long.toString(seconds))
                .unrepeatable();
        return Exchange.of(
                request,
                retry,
                parser(BROKEN, response -> Long.parseLong(Objects.requireNonNull(response.header(TIME), "no time"))));
    }

    /** Reads the state of the lease, such as {@code leased} or {@code broken}. */
    Exchange<String> state(RetrySettings retry) {
        String question = query.isEmpty() ? "" : "?" + query;
        Request request = Request.of("breakLease", target, OperationType.READ, HttpMethod.HEAD, url + question)
                .addHeaders(context.calls().view().headers());
        return Exchange.of(
                request, retry, parser(KEPT, response -> Objects.requireNonNull(response.header(STATE), "no state")));
    }

    private Request request(String verb, String action) {
        String lease = url + "?" + (query.isEmpty() ? "" : query + "&") + "comp=lease";
        return Request.of(verb, target, OperationType.WRITE, HttpMethod.PUT, lease)
                .costing(new RequestCost(ChangedResources.address(url), 1, 0))
                .addHeaders(context.calls().view().headers())
                .addHeader(ACTION, action);
    }

    private static <A> ResponseParser<A> parser(DocumentedStatus success, ResponseMeaning<A> meaning) {
        return success.parser(
                meaning,
                e -> new ParseResult.Unreadable<>(
                        "the response cannot be parsed as requested (" + e.getMessage() + ")", false));
    }
}
