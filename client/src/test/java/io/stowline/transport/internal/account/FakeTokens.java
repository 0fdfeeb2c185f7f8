package io.stowline.transport.internal.account;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** A credential that plays a script, one step for each request, and keeps the requests. */
public final class FakeTokens implements TokenCredential {

    private final Deque<Supplier<Mono<AccessToken>>> script = new ArrayDeque<>();
    private final List<TokenRequestContext> requested = new ArrayList<>();

    /** The next token, good for a day. */
    public FakeTokens gives(String token) {
        return gives(token, Duration.ofDays(1));
    }

    FakeTokens gives(String token, Duration life) {
        return does(() -> Mono.just(
                new AccessToken(token, OffsetDateTime.now(ZoneOffset.UTC).plus(life))));
    }

    public FakeTokens fails(Throwable error) {
        return does(() -> Mono.error(error));
    }

    public FakeTokens does(Supplier<Mono<AccessToken>> step) {
        script.add(step);
        return this;
    }

    @Override
    public Mono<AccessToken> getToken(TokenRequestContext request) {
        requested.add(request);
        Supplier<Mono<AccessToken>> next = script.poll();
        if (next == null) {
            throw new AssertionError("request " + requested.size() + " for a token is not in the script");
        }
        return next.get();
    }

    List<TokenRequestContext> requested() {
        return requested;
    }

    TokenRequestContext lastRequested() {
        return requested.get(requested.size() - 1);
    }

    /** Called at once, on the caller's thread. */
    public BearerTokenCredential credential() {
        return new BearerTokenCredential(this, Runnable::run);
    }
}
