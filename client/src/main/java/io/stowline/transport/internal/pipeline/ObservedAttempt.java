package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpResponse;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.limits.AdmissionLease;
import io.stowline.transport.internal.limits.UnwantedAttemptException;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestTarget;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** An attempt whose end a listener receives: it is the event itself. Made only where there is a listener. */
final class ObservedAttempt extends RequestAttempt implements AttemptEvent {

    private static final String ANY = "*";
    private static final HttpHeaderName RANGE = HttpHeaderName.fromString("x-ms-range");

    private final OperationObserver observer;
    private final RequestTarget target;
    private final long begun;
    private @Nullable String caller;
    private boolean admitted;
    private long admittedAt;
    private long ended;
    private @Nullable HttpResponse response;

    ObservedAttempt(
            OperationObserver observer,
            Exchange<?> exchange,
            Attempt plan,
            WriteTracker tracker,
            AdmissionLease lease,
            @Nullable ReadFailover failover,
            @Nullable RequestAttempt before) {
        super(exchange, plan, tracker, lease, failover, before);
        this.observer = observer;
        this.target = exchange.target(observer);
        this.begun = observer.now();
    }

    @Override
    void subscribedIn(ContextView context) {
        caller = OperationObserver.caller(context);
    }

    @Override
    void admitted() {
        super.admitted();
        if (!admitted) {
            admitted = true;
            admittedAt = observer.now();
        }
    }

    @Override
    void end(Verdict reached, @Nullable HttpResponse with, @Nullable Throwable error, long now) {
        super.end(reached, with, error, now);
        if (error instanceof UnwantedAttemptException || request().foreign()) {
            return;
        }
        ended = observer.now();
        response = with;
        try {
            observer.attemptEnded(this);
        } finally {
            response = null;
        }
    }

    private Request request() {
        return exchange().request();
    }

    private Verdict reached() {
        return Objects.requireNonNull(verdict(), "the attempt has not ended");
    }

    private @Nullable String header(HttpHeaderName name) {
        HttpResponse known = response;
        return known == null ? null : known.getHeaderValue(name);
    }

    /** The header as it went out, where that is known. */
    private @Nullable String sent(HttpHeaderName name) {
        HttpResponse known = response;
        return known == null ? request().headers().value(name) : DirectRequest.header(known.getRequest(), name);
    }

    @Override
    public String account() {
        return observer.account();
    }

    @Override
    public String service() {
        return observer.service();
    }

    @Override
    public String operation() {
        return request().name();
    }

    @Override
    public String caller() {
        return caller == null ? operation() : caller;
    }

    @Override
    public String container() {
        return target.container();
    }

    @Override
    public @Nullable String partition() {
        return target.partition();
    }

    @Override
    public @Nullable String row() {
        return target.row();
    }

    @Override
    public @Nullable String queryClass() {
        return target.queryClass();
    }

    @Override
    public boolean write() {
        return request().type() != OperationType.READ;
    }

    @Override
    public Condition condition() {
        String match = sent(HttpHeaderName.IF_MATCH);
        if (match != null && !match.equals(ANY)) {
            return Condition.IF_MATCH;
        }
        return sent(HttpHeaderName.IF_NONE_MATCH) == null ? Condition.NONE : Condition.IF_NONE_MATCH;
    }

    @Override
    public @Nullable String accept() {
        return request().headers().value(HttpHeaderName.ACCEPT);
    }

    @Override
    public int entities() {
        return request().cost().entities();
    }

    @Override
    public int returned() {
        if (write()) {
            return -1;
        }
        return row() != null && status() == 404 ? 0 : exchange().returned();
    }

    @Override
    public boolean continued() {
        return exchange().continued();
    }

    @Override
    public long bytesSent() {
        if (!written()) {
            return 0;
        }
        RequestBody body = request().body();
        return body == null ? length(request().headers().value(HttpHeaderName.CONTENT_LENGTH)) : body.length();
    }

    @Override
    public long bytesReceived() {
        long fed = tracker().received();
        if (fed > 0) {
            return fed;
        }
        HttpResponse known = response;
        return known instanceof BufferedResponse
                ? BufferedResponse.bytes(known).length
                : length(header(HttpHeaderName.CONTENT_LENGTH));
    }

    private static long length(@Nullable String text) {
        try {
            return text == null ? 0 : Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public int number() {
        return plan().number();
    }

    @Override
    public int status() {
        HttpResponse known = response;
        if (known == null) {
            return 0;
        }
        ServiceError refused = refusal();
        return refused == null ? known.getStatusCode() : refused.status();
    }

    @Override
    public @Nullable String errorCode() {
        ServiceError refused = response == null ? null : refusal();
        return refused == null ? null : refused.code();
    }

    @Override
    public AttemptReason reason() {
        Verdict reached = reached();
        return reached.kind() == Verdict.VerdictKind.SUCCESS
                ? AttemptReason.SUCCESS
                : AttemptReason.of(reached.entry(number(), Duration.ZERO, Duration.ZERO), existenceCheck());
    }

    @Override
    public boolean ambiguous() {
        return reached().ambiguous();
    }

    @Override
    public boolean existenceCheck() {
        return request().existenceCheck();
    }

    @Override
    public @Nullable String etag() {
        return header(HttpHeaderName.ETAG);
    }

    @Override
    public @Nullable String range() {
        return sent(RANGE);
    }

    @Override
    public long permitNanos() {
        return admittedAt - begun;
    }

    @Override
    public long connectNanos() {
        return tracker().connectNanos();
    }

    @Override
    public long elapsedNanos() {
        return ended - admittedAt;
    }
}
