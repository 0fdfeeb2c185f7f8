package io.stowline.blob.internal.copy;

import static io.stowline.blob.internal.base.BlobBench.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.account.AccountCredential;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The access to the source of a copy in blocks that takes longer than a signature or a token lasts, in virtual time. */
@Timeout(60)
class SourceAccessRenewalTest {

    private static final Duration OF_A_BLOCK = Duration.ofMinutes(4);
    private static final Duration DEADLINE = Duration.ofMinutes(30);
    private static final int BEFORE_BLOCKS = 3;

    /** The tokens of an identity, each for ten minutes. */
    private static final class TenMinuteTokens implements AccountCredential, AccountCredential.Authorizer {

        @Override
        public Authorizer authorizer(Service service) {
            return this;
        }

        @Override
        public String scope() {
            return "tokens";
        }

        @Override
        public Mono<Proof> authorize(HttpRequest request, Instant now) {
            long number = Duration.between(Bench.START, now).toMinutes() / 10;
            request.setHeader(HttpHeaderName.AUTHORIZATION, "Bearer T" + number);
            return Mono.just(refusal -> null);
        }
    }

    private static BlobBench bench(Bench bench) {
        BlobBench blobs =
                new BlobBench(bench, settings -> settings.deadline(DEADLINE).serverTimeout(Duration.ofMinutes(20)));
        return blobs.shows(OLD, OLD, "Content-Length", "28")
                .refuses(404, "BlobNotFound")
                .refuses(404, "BlobNotFound");
    }

    private static BlobBench.Running<BlobWriteResult> copy(BlobBench bench) {
        return bench.start(new ServerCopy(
                        bench.scope(),
                        "copyFrom",
                        "b",
                        new ContainerSource(bench.scope(), "a"),
                        from -> UploadSettings.builder()
                                .blockSize(4)
                                .parallelism(1)
                                .build())
                .run(null));
    }

    private static void takes(BlobBench bench, int status, String... headers) {
        bench.wire().respondsAfter(OF_A_BLOCK, status, "", headers);
    }

    private static BlobWriteResult copied(BlobBench bench, int blocks) throws Exception {
        bench.responds(201);
        BlobBench.Running<BlobWriteResult> copy = copy(bench);
        while (bench.wire().sent().size() <= BEFORE_BLOCKS + blocks) {
            LockSupport.parkNanos(2_000_000);
            bench.pass(Duration.ofSeconds(15));
        }
        return copy.value();
    }

    /** Virtual time goes on while a request is made. */
    private static List<Sent> blocks(BlobBench bench) {
        return bench.wire().sent().stream()
                .filter(sent -> sent.url().contains("comp=block&"))
                .toList();
    }

    private static Instant end(Sent block) {
        return Instant.parse(block.header("x-ms-copy-source")
                .replaceAll(".*[?&]se=([^&]+).*", "$1")
                .replace("%3A", ":"));
    }

    @Test
    @DisplayName("COPY-3: each block has a signature that outlives its deadline by five minutes, and none for the whole"
            + " copy")
    void signatures() throws Exception {
        BlobBench bench = bench(new Bench());
        for (int i = 0; i < 7; i++) {
            takes(bench, 201);
        }
        assertThat(copied(bench, 7).size()).isEqualTo(28);

        List<Sent> blocks = blocks(bench);
        assertThat(blocks).hasSize(7).allSatisfy(block -> assertThat(end(block))
                .isBetween(
                        Bench.START.plus(block.at()).plus(DEADLINE).plusSeconds(180),
                        Bench.START.plus(block.at()).plus(DEADLINE).plusSeconds(305)));
        assertThat(blocks.stream()
                        .map(block -> block.header("x-ms-copy-source"))
                        .distinct())
                .hasSize(7);
    }

    private static List<String> tokens(BlobBench bench) {
        return blocks(bench).stream()
                .map(block -> block.header("x-ms-copy-source-authorization"))
                .toList();
    }

    @Test
    @DisplayName("COPY-3: each block has the token that its source's client has then")
    void tokensOfBlocks() throws Exception {
        BlobBench bench = bench(new Bench(new TenMinuteTokens()));
        for (int i = 0; i < 7; i++) {
            takes(bench, 201);
        }
        copied(bench, 7);

        assertThat(blocks(bench)).hasSize(7).allSatisfy(block -> {
            assertThat(block.header("x-ms-copy-source-authorization"))
                    .isIn(
                            "Bearer T" + block.at().toMinutes() / 10,
                            "Bearer T" + (block.at().toMinutes() - 2) / 10);
            assertThat(block.header("x-ms-copy-source")).doesNotContain("?");
        });
        assertThat(tokens(bench)).contains("Bearer T0", "Bearer T1", "Bearer T2");
    }

    @Test
    @DisplayName("COPY-3: a block whose token ends before the service has read the source is sent with the next one")
    void tokenEnds() throws Exception {
        BlobBench bench = bench(new Bench(new TenMinuteTokens()));
        takes(bench, 201);
        bench.wire().respondsAfter(Duration.ofMinutes(11), 403, "", "x-ms-error-code", "CannotVerifyCopySource");
        for (int i = 0; i < 6; i++) {
            takes(bench, 201);
        }
        assertThat(copied(bench, 8).size()).isEqualTo(28);
        assertThat(tokens(bench)).startsWith("Bearer T0", "Bearer T0", "Bearer T1");
        assertThat(blocks(bench).get(2).url()).isEqualTo(blocks(bench).get(1).url());
    }

    @Test
    @DisplayName("COPY-3: a token that is still the same is not sent to the source once more")
    void sameToken() {
        BlobBench bench = bench(new Bench(new TenMinuteTokens()));
        bench.refuses(403, "CannotVerifyCopySource");
        StorageException refused = copy(bench).failure();
        assertThat(refused.failure().errorCode()).isEqualTo("CannotVerifyCopySource");
        assertThat(blocks(bench)).hasSize(1);
        assertThat(refused.toString() + refused.failure()).doesNotContain("T0");
    }
}
