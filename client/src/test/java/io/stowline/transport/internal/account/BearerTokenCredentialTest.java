package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AccessToken;
import io.stowline.error.AuthenticationException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.error.Redaction.RedactedException;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.thread.NamedThreads;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@Timeout(60)
class BearerTokenCredentialTest {

    private static final String CHALLENGE =
            "Bearer authorization_uri=https://login.microsoftonline.com/tenant-1/oauth2/authorize"
                    + " resource_id=https://storage.azure.com";
    private static final String REFUSED = Bench.jsonError("InvalidAuthenticationInfo", "text");
    private static final Duration RESPONDED = Duration.ofMillis(100);

    private final FakeTokens tokens = new FakeTokens();
    private final Bench bench = new Bench(tokens.credential());
    private final FakeWire wire = bench.wire();

    private List<String> authorizations() {
        return wire.sent().stream().map(sent -> sent.header("Authorization")).toList();
    }

    @Test
    void requestsATokenOnceAndKeepsIt() {
        tokens.gives("one");
        wire.responds(200, "").responds(200, "");
        bench.start(OperationType.WRITE);
        bench.start(OperationType.READ);

        assertThat(authorizations()).containsExactly("Bearer one", "Bearer one");
        assertThat(wire.last().header("x-ms-date")).isEqualTo("Thu, 29 Feb 2024 12:00:00 GMT");
        assertThat(tokens.requested()).hasSize(1);
        assertThat(tokens.lastRequested().getScopes()).containsExactly("https://storage.azure.com/.default");
        assertThat(tokens.lastRequested().isCaeEnabled()).isTrue();
        assertThat(tokens.lastRequested().getTenantId()).isNull();
    }

    @Test
    @DisplayName(
            "RETRY-3: a 401 with a bearer challenge has one fresh token asked for, for the tenant that it names, and"
                    + " is sent again at once")
    void challenge() {
        tokens.gives("old").gives("fresh");
        wire.responds(401, REFUSED, "WWW-Authenticate", CHALLENGE).responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(authorizations()).containsExactly("Bearer old", "Bearer fresh");
        assertThat(wire.times()).containsExactly(Duration.ZERO, Duration.ZERO);
        assertThat(tokens.lastRequested().getTenantId()).isEqualTo("tenant-1");
        assertThat(tokens.lastRequested().getScopes()).containsExactly("https://storage.azure.com/.default");
    }

    @Test
    @DisplayName("RETRY-3: the claims of a challenge are passed on")
    void claims() {
        tokens.gives("old").gives("fresh");
        wire.responds(
                        401,
                        REFUSED,
                        "WWW-Authenticate",
                        "Bearer realm=\"\", error=\"insufficient_claims\", claims=\"eyJhY2Nlc3NfdG9rZW4iOnt9fQ==\"")
                .responds(200, "done");

        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("done");
        assertThat(tokens.lastRequested().getClaims()).isEqualTo("{\"access_token\":{}}");
    }

    @Test
    @DisplayName("RETRY-3: one fresh token, once; then the refusal is final")
    void challengeTwice() {
        tokens.gives("old").gives("fresh");
        wire.responds(401, REFUSED, "WWW-Authenticate", CHALLENGE)
                .responds(401, REFUSED, "WWW-Authenticate", CHALLENGE);
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(5));

        assertThat(outcome.storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(outcome.storageError()).hasMessageContaining("the client requested a new token");
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(2);
        assertThat(tokens.requested()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-3: a 401 without a challenge and a 403 are final")
    void noChallenge() {
        tokens.gives("one");
        wire.responds(401, REFUSED).responds(403, REFUSED, "WWW-Authenticate", CHALLENGE);

        assertThat(bench.start(OperationType.WRITE).storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(bench.start(OperationType.WRITE).storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(tokens.requested()).hasSize(1);
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-3: operations that were refused together share the fresh token")
    void challengeForTwo() {
        tokens.gives("old").gives("fresh");
        wire.respondsAfter(RESPONDED, 401, REFUSED, "WWW-Authenticate", CHALLENGE)
                .respondsAfter(RESPONDED, 401, REFUSED, "WWW-Authenticate", CHALLENGE)
                .responds(200, "first")
                .responds(200, "second");
        Outcome<String> first = bench.start(OperationType.WRITE);
        Outcome<String> second = bench.start(OperationType.WRITE);
        bench.pass(RESPONDED);

        assertThat(first.value()).isEqualTo("first");
        assertThat(second.value()).isEqualTo("second");
        assertThat(tokens.requested()).hasSize(2);
    }

    @Test
    @DisplayName("RETRY-7: a credential that fails ends the operation with its facts; nothing was sent")
    void credentialFails() {
        IllegalStateException cause = new IllegalStateException("no identity is configured");
        tokens.fails(cause);
        StorageException failure = bench.start(OperationType.WRITE).storageError();

        assertThat(failure)
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("insertOrReplace people(p, r)")
                .hasMessageContaining("the credential gave no token")
                .hasMessageContaining("no identity is configured")
                .hasCause(cause);
        assertThat(failure.failure().attempts()).isZero();
        assertThat(failure.failure().unansweredAttempts()).isZero();
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    void theNextOperationRequestsAgainAtOnce() {
        tokens.fails(new IllegalStateException("not yet")).gives("one");
        wire.responds(200, "done");

        assertThat(bench.start(OperationType.WRITE).storageError()).isInstanceOf(AuthenticationException.class);
        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("done");
    }

    @Test
    void credentialsThatThrowOrGiveNothingAreFailures() {
        tokens.does(() -> {
                    throw new IllegalStateException("thrown");
                })
                .does(Mono::empty);

        assertThat(bench.start(OperationType.WRITE).storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("thrown");
        assertThat(bench.start(OperationType.WRITE).storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("the credential gave no token");
    }

    @Test
    @DisplayName("RETRY-2: whoever gives tokens cannot be reached: tried again at once, then by the formula; never"
            + " ambiguous")
    void credentialUnreachable() {
        Throwable down =
                new IllegalStateException("token endpoint", new UnknownHostException("login.microsoftonline.com"));
        tokens.fails(down).fails(down).gives("one");
        wire.responds(200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        assertThat(tokens.requested()).hasSize(2);
        bench.pass(Duration.ofSeconds(10));

        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.times()).containsExactly(Duration.ofSeconds(6));
    }

    @Test
    void credentialUnreachableToTheEnd() {
        Throwable down =
                new IllegalStateException("token endpoint", new UnknownHostException("login.microsoftonline.com"));
        for (int i = 0; i < 5; i++) {
            tokens.fails(down);
        }
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        bench.pass(Duration.ofMinutes(3));

        assertThat(outcome.storageError())
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("4 retries used up")
                .hasRootCauseInstanceOf(UnknownHostException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("RETRY-3: a fresh token that cannot be had says so")
    void freshTokenFails() {
        tokens.gives("old").fails(new IllegalStateException("interaction required"));
        wire.responds(401, REFUSED, "WWW-Authenticate", CHALLENGE);
        StorageException failure = bench.start(OperationType.WRITE).storageError();

        assertThat(failure)
                .isInstanceOf(AuthenticationException.class)
                .hasMessageContaining("interaction required")
                .hasMessageContaining("401");
        assertThat(failure.failure().status()).isEqualTo(401);
        assertThat(failure.failure().attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("RETRY-5: a token that never comes ends with the attempt, unambiguously, and holds up nobody after it")
    void hangingCredential() {
        RetrySettings once = RetrySettings.builder().retries(0).build();
        tokens.does(Mono::never).gives("one");
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE, once));
        bench.pass(Duration.ofSeconds(34));
        assertThat(outcome.ended()).isFalse();
        bench.pass(Duration.ofSeconds(1));

        assertThat(outcome.storageError()).isInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(bench.gate().inUse()).isZero();
        wire.responds(200, "done");
        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("RETRY-3: attempts that are cancelled or time out keep the token")
    void keepsTheTokenOfAnAttemptThatIsGivenUp() {
        RetrySettings once = RetrySettings.builder().retries(0).build();
        tokens.gives("one");
        wire.respondsAfter(Duration.ofMinutes(5), 200, "late")
                .respondsAfter(Duration.ofMinutes(5), 200, "late")
                .responds(200, "done");
        Outcome<String> late = bench.start(Bench.call(OperationType.READ, once));
        bench.pass(Duration.ofSeconds(35));
        assertThat(late.storageError()).isInstanceOf(UnreachableException.class);
        bench.start(Bench.call(OperationType.READ, once)).cancel();

        assertThat(bench.start(Bench.call(OperationType.READ, once)).value()).isEqualTo("done");
        assertThat(authorizations()).containsOnly("Bearer one");
        assertThat(tokens.requested()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-3: operations that stop waiting for a token do not have another one asked for")
    void keepsTheRequestForATokenThatOthersGaveUp() {
        Sinks.One<AccessToken> late = Sinks.one();
        tokens.does(late::asMono);
        wire.responds(200, "done");
        for (int i = 0; i < 5; i++) {
            bench.start(OperationType.WRITE).cancel();
            bench.pass(Duration.ofSeconds(5));
        }
        Outcome<String> last = bench.start(OperationType.WRITE);
        late.tryEmitValue(
                new AccessToken("one", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)));

        assertThat(last.value()).isEqualTo("done");
        assertThat(tokens.requested()).hasSize(1);
    }

    @Test
    void whoWaitsForTheSameTokenIsNotCancelledWithAnother() {
        Sinks.One<AccessToken> late = Sinks.one();
        tokens.does(late::asMono);
        wire.responds(200, "done");
        Outcome<String> first = bench.start(OperationType.WRITE);
        Outcome<String> second = bench.start(OperationType.WRITE);
        first.cancel();
        late.tryEmitValue(
                new AccessToken("one", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)));

        assertThat(second.value()).isEqualTo("done");
        assertThat(tokens.requested()).hasSize(1);
    }

    @Test
    @DisplayName("RETRY-7: a token in what a credential says is not shown")
    void showsNoToken() {
        String jwt = "eyJhbGciOiJSUzI1NiIs.eyJhdWQiOiJodHRwczovL3N0.c2lnbmF0dXJl";
        tokens.fails(new IllegalStateException(
                "answer {\"access_token\":\"topsecret1\"}", new IllegalStateException("Bearer topsecret2 " + jwt)));
        Throwable failure = bench.start(OperationType.WRITE).storageError();

        for (Throwable each = failure; each != null; each = each.getCause()) {
            assertThat(each.toString()).doesNotContain("topsecret1", "topsecret2", "c2lnbmF0dXJl");
        }
        assertThat(failure.getCause()).isInstanceOf(RedactedException.class);
        assertThat(tokens.credential()).hasToString("BearerToken(not shown)");
    }

    @Test
    void theCredentialIsRequestedOnADaemonOfItsOwn() throws Exception {
        CompletableFuture<String> requested = new CompletableFuture<>();
        BearerTokenCredential credential = new BearerTokenCredential(
                request -> {
                    Thread own = Thread.currentThread();
                    requested.complete(own.getName() + " daemon=" + own.isDaemon());
                    return Mono.just(new AccessToken(
                            "one", OffsetDateTime.now(ZoneOffset.UTC).plusDays(1)));
                },
                new NamedThreads("acct", "token").each());
        Bench real = new Bench(credential);
        real.wire().responds(200, "done");

        assertThat(real.pipeline()
                        .send(Bench.call(OperationType.WRITE))
                        .toFuture()
                        .get(20, TimeUnit.SECONDS))
                .isEqualTo("done");
        assertThat(requested.get(20, TimeUnit.SECONDS)).isEqualTo("stowline-acct-token-1 daemon=true");
    }
}
