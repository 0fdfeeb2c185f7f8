package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.SimpleTokenCache;
import com.azure.core.credential.TokenRequestContext;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class TokenCacheTest {

    private final Deque<Mono<AccessToken>> script = new ArrayDeque<>();
    private final TokenCache source = new TokenCache(Scripted::new, new TokenRequestContext());

    /** Stands for azure-core's cache, whose times are real. */
    private final class Scripted extends SimpleTokenCache {
        Scripted(TokenRequestContext requested) {
            super(Mono::empty);
        }

        @Override
        public Mono<AccessToken> getToken() {
            return script.remove();
        }
    }

    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");

    private static AccessToken token(String text, Duration life) {
        return new AccessToken(text, OffsetDateTime.now(ZoneOffset.UTC).plus(life));
    }

    private String next() {
        return source.token(NOW).block(Duration.ofSeconds(20)).getToken();
    }

    @Test
    void aGoodTokenIsUsedWhileTheNextOneIsAwaited() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(Mono.just(token("one", Duration.ofMinutes(1))));
        script.add(late.asMono());
        script.add(Mono.just(token("two", Duration.ofHours(1))));

        assertThat(next()).isEqualTo("one");
        assertThat(next()).isEqualTo("one");
        assertThat(late.currentSubscriberCount()).isEqualTo(1);
        assertThat(next()).isEqualTo("two");
    }

    @Test
    void anExpiredTokenIsNot() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(Mono.just(token("one", Duration.ofMinutes(-1))));
        script.add(late.asMono());

        assertThat(next()).isEqualTo("one");
        var waiting = source.token(NOW).map(AccessToken::getToken).toFuture();
        assertThat(waiting).isNotDone();
        late.tryEmitValue(token("two", Duration.ofHours(1)));
        assertThat(waiting).isCompletedWithValue("two");
    }

    @Test
    void whoGivesUpDoesNotTakeTheOthersAlong() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(late.asMono());
        source.token(NOW).subscribe().dispose();

        assertThat(late.currentSubscriberCount()).isEqualTo(1);
    }

    @Test
    void failuresArePassedOn() {
        script.add(Mono.error(new IllegalStateException("down")));

        assertThatIllegalStateException()
                .isThrownBy(() -> source.token(NOW).block())
                .withMessage("down");
    }

    @Test
    void anewForgetsTheToken() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(Mono.just(token("one", Duration.ofHours(1))));
        script.add(late.asMono());

        assertThat(next()).isEqualTo("one");
        assertThat(source.renewed().token(NOW).toFuture()).isNotDone();
    }

    @Test
    void aCredentialThatIsSilentForLongHangs() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(late.asMono());
        source.token(NOW).subscribe().dispose();

        assertThat(source.hangs(NOW.plusSeconds(29))).isFalse();
        assertThat(source.hangs(NOW.plusSeconds(30))).isTrue();
        late.tryEmitValue(token("one", Duration.ofHours(1)));
        assertThat(source.hangs(NOW.plusSeconds(30))).isFalse();
    }

    @Test
    void requestingAgainKeepsTheToken() {
        Sinks.One<AccessToken> late = Sinks.one();
        script.add(Mono.just(token("one", Duration.ofHours(1))));
        script.add(late.asMono());

        assertThat(next()).isEqualTo("one");
        assertThat(source.again().token(NOW).block(Duration.ofSeconds(20)).getToken())
                .isEqualTo("one");
    }
}
